// The screen during play: board, scores, what the referee waits for, the last ruling, a button for each declaration.

import { askFor } from "./asking.js";
import { drawScene, makeBoard, showPicture } from "./board.js";
import { byId, fill, h, openDialog } from "./dom.js";
import { openDispute } from "./dispute.js";
import { isLong } from "./names.js";
import { act } from "./net.js";
import { isLoud, rulingCard } from "./rulings.js";
import { keepNames, said } from "./sentences.js";
import { t } from "./words.js";

const MOST_PAST = 12;
const unfolded = new Set(innerWidth >= 1400 && innerHeight >= 850 ? ["past"] : []); // a wall screen has room
let parts = null;
let picking = null;
let placing = null;

/** Show the table as `now` tells: {match, view, scene, rulings, proposal, guest, paused}. */
export function showPlay(now) {
  if (!parts?.root.isConnected) build();
  keepNames(now.match.seats);
  const seen = Boolean(now.scene);
  drawScene(parts.svg, now.scene, picking, placing);
  showPicture(parts.svg, seen && !now.night);
  parts.root.classList.toggle("unseen-table", !seen);
  parts.svg.toggleAttribute("hidden", !seen);
  fill(parts.head, headline(now));
  fill(parts.scores, scores(now));
  fill(parts.ruling, lastRuling(now));
  fill(parts.choices, choices(now));
  fill(parts.past, past(now));
}

export function leavePlay() {
  parts = picking = placing = null;
}

function build() {
  parts = {
    svg: makeBoard(t("board")),
    head: h("div"), scores: h("ul", { class: "scores", "aria-label": t("scores") }),
    ruling: h("div", { role: "status", "aria-live": "polite" }), choices: h("div"), past: h("div", { class: "past" }),
  };
  parts.board = h("section", { class: "board", "aria-label": t("board") }, parts.svg, parts.ruling);
  parts.side = h("section", { class: "side", "aria-label": t("declare"), tabindex: "0" }, parts.head, parts.scores, parts.choices, parts.past);
  parts.root = h("div", { class: "play" }, parts.board, parts.side);
  fill(byId("screen"), parts.root);
}

const headline = ({ view, paused }) => [
  h("h2", { class: "headline" }, paused ? t("paused") : said(view.headline)),
  view.prompt && h("p", { class: "prompt" }, said(view.prompt)),
  view.lines.length > 0 && h("ul", { class: "lines" }, view.lines.map((line) => h("li", {}, said(line)))),
];

const scores = ({ view, clock }) => view.scores.map(([name, score]) =>
  h("li", { class: [isNamed(name, view.headline) && "turn", isLong(said(score)) && "long"].filter(Boolean).join(" ") || null },
    h("span", {}, said(name)), clock?.left_ms[name] !== undefined && timeLeft(clock, name), h("b", {}, said(score))));

/** Whether the headline is about this player. */
const isNamed = (name, headline) => new RegExp(`(^|[^\\p{L}\\p{N}])${name.replace(/[.*+?^${}()|[\]\\/-]/g, "\\$&")}($|[^\\p{L}\\p{N}])`, "u").test(headline);

/** What a player's clock shows; the page counts on between the referee's words. */
function timeLeft({ running, left_ms: left, since }, name) {
  const seconds = Math.max(0, Math.ceil((left[name] - (running === name ? performance.now() - since : 0)) / 1000));
  const shown = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
  return h("time", { class: seconds <= 30 ? "clock short" : "clock", role: "timer", "aria-label": t("time_left", { name, time: shown }), "data-runs": running === name ? "" : null }, shown);
}

function lastRuling({ rulings, proposal, guest }) {
  if (proposal) return [rulingCard(proposal, true), guest.acts && h("div", { class: "row" },
    h("button", { class: "main", onclick: () => tell({ ev: "proposal_answer", agreed: true }) }, t("agree")),
    h("button", { onclick: () => tell({ ev: "proposal_answer", agreed: false }) }, t("disagree")))];
  const last = lastOf(rulings);
  return last && rulingCard(last, true);
}

/** The ruling that counts now; what players were asked to do is over with whatever comes next. */
function lastOf(rulings) {
  const loud = rulings.findLast(isLoud), last = rulings.at(-1);
  return !loud || loud.code === "PROMPT" ? last : loud;
}

const past = ({ rulings }) => rulings.length > 1 && more(t("past"), "past",
  rulings.filter((ruling) => ruling !== lastOf(rulings)).slice(-MOST_PAST).reverse().map((ruling) => rulingCard(ruling)));

/** A gate is called by tapping it, so the button is there although the camera also sees fingers point. */
const isTold = (choice, now) => !choice.seen || !now.scene || choice.event === "gate_called";

function choices(now) {
  if (!now.guest.acts) return h("p", { class: "hint" }, t("watching"));
  if (picking) return bar(t("tap_two", { n: picking.chosen.size }), t("cancel"), now);
  if (placing) return bar(t("drag_zones"), t("done"), now);
  const told = now.view.choices.filter((choice) => isTold(choice, now));
  const seen = now.view.choices.filter((choice) => !isTold(choice, now));
  return [
    told.length > 0 && h("div", { class: "choices" }, told.map((choice) => button(choice, now))),
    h("div", { class: "row house" },
      h("button", { "data-key": "undo", "aria-label": t("undo"), onclick: () => tell({ ev: "undo" }) }, "↶", h("span", { class: "long" }, ` ${t("undo")}`)),
      h("button", { "data-key": "redo", "aria-label": t("redo"), onclick: () => tell({ ev: "redo" }) }, "↷", h("span", { class: "long" }, ` ${t("redo")}`)),
      h("button", { "data-key": "dispute", onclick: () => openDispute(now, tell) }, t("dispute")),
      !now.paused && h("button", { "data-key": "pause", onclick: () => tell({ ev: "pause" }) }, t("pause")),
      now.scene?.zones?.length > 0 && h("button", { "data-key": "zones", onclick: () => { placing = { onplace: place }; showPlay(now); } }, t("zones"))),
    seen.length > 0 && more(t("by_hand"), "by-hand", h("div", { class: "choices" }, seen.map((choice) => button(choice, now)))),
  ];
}

/** Something folded away; it stays open while the table goes on. */
function more(title, key, ...inside) {
  return h("details", { class: "more", open: unfolded.has(key), ontoggle: (event) => unfolded[event.target.open ? "add" : "delete"](key) },
    h("summary", { "data-key": key }, title), inside);
}

const place = (name, px) => tell({ ev: "zone_placed", name, px });

const button = (choice, now) => h("button", { "data-key": choice.event + JSON.stringify(choice.fields), onclick: () => choose(choice, now) }, said(choice.label));

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

/** While something is tapped or dragged: what to do, and the way out. */
const bar = (what, end, now) => h("div", { class: "row bar", role: "status" }, h("b", {}, what),
  h("button", { class: "main", onclick: () => { picking = placing = null; showPlay(now); } }, end));

const refuse = (why) => openDialog(t("not_taken"), (close) => [h("p", {}, why), h("div", { class: "row" }, h("button", { class: "main", onclick: close }, t("ok")))]);

/** Tell the referee; a refusal that is no ruling of the game is said to whoever pressed. */
export async function tell(event) {
  const answer = await act(event);
  const refused = answer.rulings?.find((ruling) => ruling.code === "ILLEGAL" && ruling.clauses[0]?.startsWith("HO-"));
  if (answer.error || refused) refuse(said(answer.error ?? refused.because));
}
