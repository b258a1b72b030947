// "It touched!" "It did not." Which ruling, what it rests on, and what the players make of it.

import { clauseText } from "./clauses.js";
import { h, openDialog } from "./dom.js";
import { instantReplay } from "./instant.js";
import { rulingCard } from "./rulings.js";
import { t } from "./words.js";

const DISPUTABLE = (ruling) => !["INFO", "ASSUME", "PROMPT"].includes(ruling.code) && ruling.number;

export function openDispute(now, tell) {
  const rulings = now.rulings.filter(DISPUTABLE).reverse();
  openDialog(t("dispute"), (close) => rulings.length === 0
    ? [h("p", {}, t("nothing_to_dispute")), h("div", { class: "row" }, h("button", { onclick: close }, t("close")))]
    : [h("p", {}, t("which_ruling")), rulings.slice(0, 6).map((ruling) =>
        h("button", { onclick: () => look(ruling, now, tell) }, rulingCard(ruling))), h("div", { class: "row" }, h("button", { onclick: close }, t("close")))]);
}

function look(ruling, now, tell) {
  const seat = now.guest.seat ?? now.match.seats[0];
  tell({ ev: "dispute", seat, clause: ruling.clauses[0] });
  openDialog(t("dispute"), (close) => [rulingCard(ruling), instantReplay(ruling), h("div", { class: "deciding" }, now.match.overturns ? vote(ruling, now, tell, close) : takeBack(tell, close))]);
}

/** Three ways out; who agrees is asked only of those who want to overturn it. */
function vote(ruling, now, tell, close) {
  const ask = h("div", { class: "agreeing", hidden: true }, agreeing(ruling, now), h("div", { class: "row" }, h("button", { class: "main", name: "overturn", onclick: () => overturn(ruling, tell, close) }, t("overturn"))));
  const unfold = (event) => { ask.hidden = !ask.hidden; event.currentTarget.setAttribute("aria-expanded", String(!ask.hidden)); };
  return [ask, h("div", { class: "row" },
    h("button", { class: "main", onclick: close }, t("uphold")),
    h("button", { "aria-expanded": "false", onclick: unfold }, `${isBad(ruling) ? t("overturn") : t("overturn_foul")} …`),
    isLast(ruling, now) && h("button", { onclick: () => { close(); tell({ ev: "undo" }); } }, t("shoot_again")))];
}

const agreeing = (ruling, now) => [
  h("p", { class: "hint" }, t(`overturn.${now.match.overturn ?? "unanimous"}`)),
  h("div", { class: "row ticks" }, now.match.seats.map((seat) => h("label", { class: "tick" }, h("input", { type: "checkbox", name: "agrees", value: seat }), seat))),
  !isBad(ruling) && h("label", { class: "field" }, h("span", {}, t("which_foul")), h("select", { name: "foul" },
    Object.entries(now.match.fouls).map(([clause, text]) => h("option", { value: clause }, `${clause} ${clauseText(clause, text)}`)))),
];

/** Where a ruling cannot be turned round by itself, what led to it is taken back and told anew. */
const takeBack = (tell, close) => [
  h("p", { class: "hint" }, t("take_back_hint")),
  h("div", { class: "row" },
    h("button", { class: "main", onclick: close }, t("uphold")),
    h("button", { onclick: () => { close(); tell({ ev: "undo" }); } }, t("undo"))),
];

/** Whether nothing was ruled since; the dispute itself does not count. */
const isLast = (ruling, now) => now.rulings.every((other) => other.of <= ruling.of || ["PROMPT", "INFO"].includes(other.code));
const isBad = (ruling) => ["FOUL", "ILLEGAL", "CORRECT"].includes(ruling.code);

function overturn(ruling, tell, close) {
  const dialog = document.getElementById("dialog");
  const by = [...dialog.querySelectorAll("input[name=agrees]:checked")].map((box) => box.value);
  const foul = dialog.querySelector("select[name=foul]")?.value;
  close();
  tell({ ev: "override", by, target: ruling.of, ruling: foul ? { code: "FOUL", clauses: [foul] } : { code: "OK", clauses: [] } });
}
