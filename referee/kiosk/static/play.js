// The screen during play: board, scores, what the referee waits for, the last ruling, a button for each declaration.

import { askFor } from "./asking.js";
import { drawScene, makeBoard, showPicture } from "./board.js";
import { byId, fill, h, openDialog } from "./dom.js";
import { openDispute } from "./dispute.js";
import { act } from "./net.js";
import { isLoud, rulingCard } from "./rulings.js";
import { t } from "./words.js";

const MOST_PAST = 12;
let parts = null;
let picking = null;

/** Show the table as `now` tells: {match, view, scene, rulings, proposal, guest, paused}. */
export function showPlay(now) {
  if (!parts?.root.isConnected) build();
  drawScene(parts.svg, now.scene, picking);
  showPicture(parts.svg, Boolean(now.scene) && !now.night);
  arrange(Boolean(now.scene));
  fill(parts.head, headline(now));
  fill(parts.scores, scores(now));
  fill(parts.ruling, lastRuling(now));
  fill(parts.choices, choices(now));
  fill(parts.past, past(now));
}

/** Without a camera there is no picture: the rulings take its place. */
function arrange(seen) {
  parts.root.classList.toggle("unseen-table", !seen);
  parts.svg.toggleAttribute("hidden", !seen);
  if (!seen && parts.ruling.parentNode !== parts.board) parts.board.append(parts.ruling, parts.past);
  if (seen && parts.ruling.parentNode !== parts.side) { parts.choices.before(parts.ruling); parts.side.append(parts.past); }
}

export function leavePlay() {
  parts = picking = null;
}

function build() {
  parts = {
    svg: makeBoard(t("board")),
    head: h("div"), scores: h("ul", { class: "scores", "aria-label": t("scores") }),
    ruling: h("div", { role: "status", "aria-live": "polite" }), choices: h("div"), past: h("div", { class: "past" }),
  };
  parts.board = h("section", { class: "board" }, parts.svg);
  parts.side = h("section", { class: "side" }, parts.head, parts.scores, parts.ruling, parts.choices, parts.past);
  parts.root = h("div", { class: "play" }, parts.board, parts.side);
  fill(byId("screen"), parts.root);
}

const headline = ({ view, paused }) => [
  h("h2", { class: "headline" }, paused ? t("paused") : view.headline),
  view.prompt && h("p", { class: "prompt" }, view.prompt),
  view.lines.length > 0 && h("ul", { class: "lines" }, view.lines.map((line) => h("li", {}, line))),
];

const scores = ({ view }) => view.scores.map(([name, score]) =>
  h("li", { class: view.headline.startsWith(`${name}:`) ? "turn" : null }, h("span", {}, name), h("b", {}, score)));

function lastRuling({ rulings, proposal, guest }) {
  if (proposal) return [rulingCard(proposal, true), guest.acts && h("div", { class: "row" },
    h("button", { class: "main", onclick: () => tell({ ev: "proposal_answer", agreed: true }) }, t("agree")),
    h("button", { onclick: () => tell({ ev: "proposal_answer", agreed: false }) }, t("disagree")))];
  const last = rulings.findLast(isLoud) ?? rulings.at(-1);
  return last && rulingCard(last, true);
}

const past = ({ rulings }) => rulings.length > 1 && h("details", { class: "more" }, h("summary", {}, t("past")),
  rulings.slice(-MOST_PAST).reverse().map((ruling) => rulingCard(ruling)));

function choices(now) {
  if (!now.guest.acts) return h("p", { class: "hint" }, t("watching"));
  const told = now.view.choices.filter((choice) => !choice.seen || !now.scene);
  const seen = now.view.choices.filter((choice) => choice.seen && now.scene);
  return [
    picking ? pickingBar(now) : h("div", { class: "choices" }, told.map((choice) => button(choice, now))),
    h("div", { class: "row" },
      h("button", { "data-key": "undo", onclick: () => tell({ ev: "undo" }) }, t("undo")),
      h("button", { "data-key": "redo", onclick: () => tell({ ev: "redo" }) }, t("redo")),
      h("button", { "data-key": "dispute", onclick: () => openDispute(now, tell) }, t("dispute")),
      !now.paused && h("button", { "data-key": "pause", onclick: () => tell({ ev: "pause" }) }, t("pause"))),
    seen.length > 0 && h("details", { class: "more" }, h("summary", {}, t("by_hand")), h("div", { class: "choices" }, seen.map((choice) => button(choice, now)))),
  ];
}

const button = (choice, now) => h("button", { "data-key": choice.event + JSON.stringify(choice.fields), onclick: () => choose(choice, now) }, choice.label);

function choose(choice, now) {
  if (choice.event === "gate_called" && now.scene?.pieces?.length) {
    picking = { choice, chosen: new Map(), name: t("piece"), onpick: (piece) => pick(piece, now) };
    return showPlay(now);
  }
  askFor(choice, now.match.seats, tell);
}

function pick(piece, now) {
  if (!picking.chosen.delete(piece.id)) picking.chosen.set(piece.id, piece);
  if (picking.chosen.size < 2) return showPlay(now);
  const { choice, chosen } = picking;
  picking = null;
  tell({ ev: choice.event, ...choice.fields, at_px: [...chosen.values()].map((p) => p.px) });
  showPlay(now);
}

const pickingBar = (now) => h("div", { class: "row", role: "status" }, h("b", {}, t("tap_two", { n: picking.chosen.size })),
  h("button", { onclick: () => { picking = null; showPlay(now); } }, t("cancel")));

/** Tell the referee; a refusal is shown where everybody looks. */
export async function tell(event) {
  const answer = await act(event);
  if (answer.error) openDialog(t("not_taken"), (close) => [h("p", {}, answer.error), h("div", { class: "row" }, h("button", { class: "main", onclick: close }, t("ok")))]);
}
