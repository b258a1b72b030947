// "It touched!" "It did not." Which ruling, what it rests on, and what the players make of it.

import { h, openDialog } from "./dom.js";
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
  openDialog(t("dispute"), (close) => [
    rulingCard(ruling),
    h("p", { class: "hint" }, t("all_agree")),
    agreement(now.match.seats),
    h("div", { class: "row" },
      h("button", { class: "main", onclick: close }, t("uphold")),
      h("button", { onclick: () => overturn(ruling, tell, close) }, t("overturn"))),
  ]);
}

const agreement = (seats) => h("div", { class: "row" }, seats.map((seat) =>
  h("label", { class: "row" }, h("input", { type: "checkbox", name: "agrees", value: seat }), seat)));

function overturn(ruling, tell, close) {
  const by = [...document.querySelectorAll("#dialog input[name=agrees]:checked")].map((box) => box.value);
  const code = ["FOUL", "ILLEGAL", "CORRECT"].includes(ruling.code) ? "OK" : "FOUL";
  close();
  tell({ ev: "override", by, target: ruling.of, ruling: { code, clauses: code === "FOUL" ? ["RO-50"] : [] } });
}
