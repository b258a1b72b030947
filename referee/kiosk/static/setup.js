// The first screen: game, players round the table, house rules, camera; one step after the other.

import { speakClauses } from "./clauses.js";
import { cameraPage, wanted } from "./setup_camera.js";
import { rulesPage } from "./setup_rules.js";
import { byId, fill, h } from "./dom.js";
import { get, post } from "./net.js";
import { said } from "./sentences.js";
import { t } from "./words.js";

const STEPS = ["game", "players", "rules", "camera"];
const draft = { step: 0, game: null, seats: [], switches: {}, authority: {}, overturn: "unanimous", camera: "", profile: "", deck: "", seen: null, looking: false };
let sheets = null;
let problem = "";
let shown = -1;

/** Ask how the table is to be; `isDue` tells whether anybody still wants to know. */
export async function showSetup(guest, isDue = () => true) {
  sheets = (sheets?.acts === guest.acts && sheets) || { ...(await get("api/games")), acts: guest.acts };
  if (draft.game) await speakClauses(draft.game.name);
  if (!isDue()) return;
  if (!guest.acts) return fill(byId("screen"), h("div", { class: "setup" }, h("h2", { class: "headline" }, t("no_match")), h("p", {}, t("watching"))));
  const again = (change) => { Object.assign(draft, change); problem = ""; showSetup(guest); };
  fill(byId("screen"), h("div", { class: "setup" }, steps(again), problem && h("p", { class: "error", role: "alert" }, problem), PAGES[STEPS[draft.step]](again, guest)));
  if (shown !== draft.step) byId("screen").scrollTop = 0;
  shown = draft.step;
}

/** The way through the set-up; what was done already can be looked at again. */
const steps = (again) => h("ol", { class: "steps" }, STEPS.map((step, k) => h("li", {},
  h("button", { disabled: k > draft.step, "aria-current": k === draft.step ? "step" : null, onclick: () => again({ step: k }) }, `${k + 1} ${t(`step.${step}`)}`))));

const PAGES = { game: gamePage, players: playersPage, rules: (again) => [rulesPage(draft), onward(again)], camera: (again, guest) => cameraPage(draft, sheets, again, (withCamera) => begin(guest, withCamera)) };

function gamePage(again) {
  return [h("h2", { class: "headline" }, t("which_game")), h("div", { class: "games" }, sheets.games.map((game) =>
    h("button", { onclick: () => again({ game, step: 1, seats: firstSeats(game), switches: {}, authority: {}, seen: null, ...remembered() }) },
      h("b", {}, game.title), h("small", {}, t("players_n", { from: game.seats[0], to: game.seats[1] })), h("span", {}, said(game.summary)))))];
}

function playersPage(again) {
  const [fewest, most] = draft.game.seats;
  const n = draft.seats.length;
  return [h("h2", { class: "headline" }, t("who_plays")), h("p", { class: "hint" }, t("clockwise")),
    h("div", { class: "row" },
      h("button", { class: "step", "data-key": "fewer", "aria-label": t("fewer"), disabled: n <= fewest, onclick: () => again({ seats: draft.seats.slice(0, -1) }) }, "−"),
      h("b", {}, t("players_count", { n })),
      h("button", { class: "step", "data-key": "more", "aria-label": t("more"), disabled: n >= most, onclick: () => again({ seats: [...draft.seats, letter(n)] }) }, "+")),
    h("div", { class: "round" }, roundTable(), h("div", { class: "seats" }, draft.seats.map((seat, k) => h("label", { class: "field" }, h("span", {}, t("seat_n", { n: k + 1 })),
      h("input", { value: seat, maxlength: 12, autocomplete: "off", oninput: (event) => { draft.seats[k] = event.target.value.trim(); } }))))),
    onward(again)];
}

const onward = (again) => h("div", { class: "row onward" }, h("button", { onclick: () => again({ step: draft.step - 1 }) }, t("back")),
  h("button", { class: "main", onclick: () => again({ step: draft.step + 1 }) }, t("next")));

const letter = (k) => String.fromCharCode(65 + k);

/** The same people as last time where they fit, else letters. */
function firstSeats(game) {
  const before = sheets.last.seats ?? [];
  if (before.length >= game.seats[0] && before.length <= game.seats[1]) return [...before];
  return Array.from({ length: Math.min(Math.max(game.seats[0], 3), game.seats[1]) }, (_, k) => letter(k));
}

const remembered = () => ({ camera: sheets.last.camera ?? "", profile: sheets.last.profile ?? "", deck: sheets.last.deck ?? "", overturn: sheets.last.overturn ?? "unanimous" });

/** The table from above: the first seat at the bottom, then clockwise. */
function roundTable() {
  const n = draft.seats.length;
  const seat = (k) => { const a = Math.PI / 2 + (2 * Math.PI * k) / n; return [76 * Math.cos(a), 70 * Math.sin(a)]; };
  return h("svg", { class: "round-table", viewBox: "-110 -90 220 180", "aria-hidden": "true" }, h("circle", { r: 52, fill: "#1d5c48" }),
    draft.seats.map((_, k) => h("g", {}, h("circle", { cx: seat(k)[0], cy: seat(k)[1], r: 15, fill: "#f2b84b" }), h("text", { class: "plain", x: seat(k)[0], y: seat(k)[1] + 6 }, String(k + 1)))));
}

async function begin(guest, withCamera) {
  const answer = await post("api/match", { game: draft.game.name, seats: draft.seats, switches: draft.switches, authority: draft.authority, overturn: draft.overturn, ...wanted(draft, sheets, withCamera) });
  problem = answer.error ?? "";
  if (problem) showSetup(guest);
  else { draft.step = 0; sheets = null; }
}
