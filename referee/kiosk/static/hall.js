// Every table of a room on one page, as each says it on the broker.

import { byId, fill, h } from "./dom.js";
import { isLong } from "./names.js";
import { get } from "./net.js";
import { rulingCard } from "./rulings.js";
import { keepNames, said } from "./sentences.js";
import { speak, t } from "./words.js";

const EVERY_MS = 1000;
let shown = "";

const tableCard = ({ table, online, state = {}, ruling }) => h("article", { class: `table${online ? "" : " away"}`, "data-table": table },
  h("h2", {}, table, h("small", {}, ` ${online ? state.game ?? "" : t("away")}`)),
  h("p", { class: "headline" }, state.night ? t("night") : said(state.headline)),
  !state.night && state.prompt && h("p", { class: "prompt" }, said(state.prompt)),
  !state.night && h("ul", { class: "scores" }, (state.scores ?? []).map(([name, score]) => h("li", { class: isLong(said(score)) ? "long" : null }, h("span", {}, said(name)), h("b", {}, said(score))))),
  !state.night && ruling?.code && rulingCard({ clauses: [], because: "", ...ruling }));

async function look() {
  const { tables } = await get("api/tables").catch(() => ({ tables: [] }));
  const now = JSON.stringify(tables);
  if (now === shown) return;
  shown = now;
  keepNames(tables.flatMap(({ state }) => state?.seats ?? []));
  fill(byId("screen"), tables.length ? tables.map(tableCard) : h("p", { class: "hint" }, t("no_tables")));
}

await speak();
document.title = `${t("all_tables")} · Table Referee`;
byId("title").textContent = t("all_tables");
await look();
setInterval(look, EVERY_MS);
