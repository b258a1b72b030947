// The review of a recording: the result first, then the evidence, frame by frame.

import { clauseText, speakClauses } from "./clauses.js";
import { byId, fill, h, openDialog } from "./dom.js";
import { Film } from "./film.js";
import { icon } from "./icons.js";
import { isLong } from "./names.js";
import { get, post } from "./net.js";
import { LAYERS, layersOf, plot, shapes } from "./overlays.js";
import { above, bothReadings, layerBoxes, numbers } from "./proof.js";
import { withoutHead } from "./rulings.js";
import { keepNames, said } from "./sentences.js";
import { language, languages, speak, t } from "./words.js";

const SPEEDS = [0.05, 0.1, 0.25, 0.5, 1];
const PRE_ROLL_MS = 700;
const TONES = { FOUL: "bad", ILLEGAL: "bad", CORRECT: "bad", ELIMINATED: "bad", LOSS: "bad", AUDIT: "bad", OK: "good", SCORE: "good", WIN: "good", REVIEW: "ask", PROMPT: "ask", UNSEEN: "ask", DRAW: "ask" };
const now = { state: "judging", judged: 0, frames: 0, review: null, picked: null, on: new Set(LAYERS.slice(0, 5)), hands: [], zoom: 1, pan: [0, 0], taps: [] };
let film, canvas, over, parts;

const marks = () => (now.review?.marks ?? []).filter((mark) => mark.frames && !mark.quiet);
const picked = () => marks().find((mark) => mark.number === now.picked) ?? null;
const shotOf = (mark) => (mark && mark.shot !== null && mark.shot !== undefined ? now.review.shots[mark.shot] : null);
const shotAt = (at) => shotOf(picked()) ?? now.review?.shots.findLast((shot) => shot.frames[0] - 60 <= at) ?? now.review?.shots[0] ?? null;
const seconds = (ms) => `${Math.floor(ms / 60000)}:${((ms / 1000) % 60).toFixed(2).padStart(5, "0")}`;

// --- The page --------------------------------------------------------------------------------------------

function build(size) {
  canvas = h("canvas", { width: size[0], height: size[1], role: "img", "aria-label": t("review.picture") });
  over = h("svg", { viewBox: `0 0 ${size[0]} ${size[1]}`, "aria-hidden": "true" });
  parts = Object.fromEntries(["result", "evidence", "rulings", "line", "controls", "layers"].map((name) => [name, h("div", { class: name })]));
  const glass = h("div", { class: "glass" }, canvas, over);
  const view = h("div", { class: "view" }, glass, h("p", { class: "which", "aria-live": "off" }));
  fill(byId("screen"), h("div", { class: "looking" },
    h("section", { class: "film", "aria-label": t("review.film") }, view, parts.line, parts.controls, parts.layers),
    h("section", { class: "side", "aria-label": t("review.rulings") }, parts.result, parts.evidence, parts.rulings)));
  view.addEventListener("wheel", (event) => { event.preventDefault(); zoomBy(event.deltaY < 0 ? 1.25 : 0.8, event); }, { passive: false });
  dragging(view);
}

function draw() {
  drawResult(); drawRulings(); drawEvidence(); drawLine(); drawControls(); drawLayers(); drawOver();
}

function drawResult() {
  const { review, state, judged, frames, trouble } = now;
  fill(parts.result, state === "points" ? askPoints() : [
    h("p", { class: "headline" }, review ? said(review.headline) || review.title : state === "failed" ? t("review.failed") : t(canvas.dataset.veiled === "all" ? "review.veiled" : "review.judging")),
    review && state === "judging" && h("p", { class: "hint" }, t("review.looking")),
    state === "judging" && h("progress", { max: frames || 1, value: judged, "aria-label": t("review.judging") }),
    trouble && h("p", { class: "error", role: "alert" }, trouble),
    review && h("ul", { class: "scores", "aria-label": t("scores") }, review.scores.map(([seat, score]) => h("li", { class: isLong(said(score)) ? "long" : null }, h("span", {}, said(seat)), h("b", {}, said(score))))),
    review?.calibration && !review.spots && h("p", { class: "hint" }, t("review.calibration", { px: review.calibration.reprojection_px.toFixed(2), mm: review.calibration.plane_error_mm.toFixed(2), least: review.calibration.smallest_margin_mm.toFixed(1) })),
  ]);
}

function drawRulings() {
  fill(parts.rulings, marks().length > 0 && h("h2", {}, t("review.rulings")), marks().map((mark) =>
    h("button", { class: "ruling", "data-key": `r${mark.number}`, "data-tone": TONES[mark.code] ?? "plain", "aria-pressed": String(mark.number === now.picked), onclick: () => pick(mark.number) },
      h("span", { class: "code" }, t(`code.${mark.code}`)), h("span", { class: "hint" }, ` ${seconds(film.times[mark.frames[0]] ?? 0)}${mark.seat ? ` · ${mark.seat}` : ""}`),
      h("span", { class: "because" }, withoutHead(said(mark.because), t(`code.${mark.code}`))))),
  now.review && marks().length === 0 && h("p", { class: "hint" }, t("review.none")));
}

function drawEvidence() {
  const mark = picked(), shot = shotOf(mark);
  fill(parts.evidence, mark && [
    h("article", { class: "ruling", "data-tone": TONES[mark.code] ?? "plain" }, h("p", {}, h("span", { class: "code" }, t(`code.${mark.code}`)), ` · ${t("number", { n: mark.number })}`), h("p", { class: "because" }, withoutHead(said(mark.because), t(`code.${mark.code}`))),
      mark.clauses.map((clause) => h("p", { class: "clauses" }, h("b", {}, clause.id), ` ${clauseText(clause.id, clause.text)}`))),
    shot && numbers(shot),
    shot && bothReadings(shot),
    shot?.window_mm && above(`review/above/${mark.shot}`, shot),
    shot && h("div", { class: "plotted" }, now.on.has("plot") && plot(shot, film.at, (frame) => film.show(frame))),
  ]);
}

function drawLine() {
  const last = Math.max(film.length - 1, 1);
  fill(parts.line, h("div", { class: "rail" },
    h("input", { type: "range", "data-key": "scrub", min: 0, max: last, value: Math.max(film.at, 0), "aria-label": t("review.scrub"), "aria-valuetext": seconds(film.times[film.at] ?? 0), oninput: (event) => film.show(Number(event.target.value)) }),
    h("svg", { viewBox: "0 0 1000 16", preserveAspectRatio: "none", "aria-hidden": "true" }, marks().map((mark) => h("line", { class: "mark", "data-tone": TONES[mark.code] ?? "plain", x1: (1000 * mark.frames[1]) / last, x2: (1000 * mark.frames[1]) / last, y1: 0, y2: 16 })))));
}

const playSign = () => icon(film.playing ? "pause" : "play");

function drawControls() {
  const button = (key, text, name, onclick, pressed) => h("button", { "data-key": key, title: t(name), "aria-label": t(name), "aria-pressed": pressed === undefined ? null : String(pressed), onclick }, text);
  fill(parts.controls,
    button("prev", icon("previous"), "review.prev", () => hop(-1)), button("back", "−1", "review.back", () => film.show(film.at - 1)),
    button("play", playSign(), "review.play", playPause), button("step", "+1", "review.step", () => film.show(film.at + 1)), button("next", icon("next"), "review.next", () => hop(1)),
    h("select", { "data-key": "speed", "aria-label": t("review.speed"), onchange: (event) => { film.speed = Number(event.target.value); } }, SPEEDS.map((speed) => h("option", { value: speed, selected: speed === film.speed }, `${speed}×`))),
    button("loop", "↻", "review.loop", turnLoop, Boolean(film.loop)),
    button("out", "⊖", "review.zoom_out", () => zoomBy(0.67)), button("in", "⊕", "review.zoom_in", () => zoomBy(1.5)));
}

function drawLayers() {
  fill(parts.layers, layerBoxes(layersOf(now.review), now.on, () => { seeHands(); drawOver(); drawEvidence(); }));
}

function drawOver() {
  fill(over, shapes(now.review, shotAt(film.at), film.at, now.on, now.hands), now.taps.map(([x, y], k) => [h("circle", { class: "contact", cx: x, cy: y, r: 10 }), h("text", { x, y: y - 16 }, String(k + 1))]));
}

// --- Looking ---------------------------------------------------------------------------------------------

function onShow(at) {
  now.hands = [];
  drawOver();
  const which = document.querySelector(".which");
  if (which) which.textContent = t("review.frame", { n: at, of: film.length - 1, time: seconds(film.times[at] ?? 0) });
  const scrub = parts.line.querySelector("input");
  if (scrub) { scrub.value = at; scrub.setAttribute("aria-valuetext", seconds(film.times[at] ?? 0)); }
  const shot = shotOf(picked()), plotted = parts.evidence.querySelector(".plotted");
  if (shot && plotted) fill(plotted, now.on.has("plot") && plot(shot, at, (frame) => film.show(frame)));
  if (!film.playing) seeHands();
  const play = parts.controls.querySelector("[data-key=play]");
  if (play) fill(play, playSign());
}

async function seeHands() {
  const at = film.at;
  if (!now.on.has("hand")) { now.hands = []; return; }
  const { hands } = await get(`review/hands/${at}`);
  if (film.at === at) { now.hands = hands ?? []; drawOver(); }
}

function pick(number) {
  now.picked = number;
  const mark = picked();
  if (mark) { if (film.loop) film.loop = around(mark); film.show(shotOf(mark)?.closest ?? mark.frames[1]); }
  draw();
}

function hop(step) {
  const all = marks(), at = all.findIndex((mark) => mark.number === now.picked);
  const next = all[Math.max(0, Math.min(all.length - 1, at + step))];
  if (next) pick(next.number);
}

/** From a moment before the ruling to a moment after it. */
function around(mark) {
  const [first, last] = mark.frames;
  return [film.indexAt(film.times[first] - PRE_ROLL_MS), film.indexAt(film.times[last] + PRE_ROLL_MS)];
}

function turnLoop() {
  film.loop = film.loop ? null : picked() ? around(picked()) : [0, film.length - 1];
  drawControls();
}

function playPause() {
  if (film.playing) { film.pause(); film.show(film.at); } else film.play();
  drawControls();
}

function zoomBy(factor, event) {
  const box = canvas.parentElement.getBoundingClientRect();
  const [x, y] = event ? [(event.clientX - box.x) / now.zoom, (event.clientY - box.y) / now.zoom] : [box.width / now.zoom / 2 - now.pan[0] / now.zoom, box.height / now.zoom / 2 - now.pan[1] / now.zoom];
  const zoom = Math.max(1, Math.min(12, now.zoom * factor));
  now.pan = zoom === 1 ? [0, 0] : [now.pan[0] - x * (zoom - now.zoom), now.pan[1] - y * (zoom - now.zoom)];
  now.zoom = zoom;
  place();
}

function place() {
  canvas.parentElement.style.transform = `translate(${now.pan[0]}px, ${now.pan[1]}px) scale(${now.zoom})`;
}

function dragging(view) {
  let from = null;
  view.addEventListener("pointerdown", (event) => { from = [event.clientX - now.pan[0], event.clientY - now.pan[1], event.clientX, event.clientY]; view.setPointerCapture(event.pointerId); });
  view.addEventListener("pointermove", (event) => { if (from && now.zoom > 1) { now.pan = [event.clientX - from[0], event.clientY - from[1]]; place(); } });
  view.addEventListener("pointerup", (event) => { if (from && Math.hypot(event.clientX - from[2], event.clientY - from[3]) < 5) tap(event); from = null; });
}

// --- A video without a calibration -------------------------------------------------------------------------

function askPoints() {
  return [h("p", { class: "headline" }, t("review.points")), h("p", { class: "hint" }, t("review.points_hint", { n: now.taps.length })),
    h("form", { class: "row", onsubmit: sendPoints },
      h("label", { class: "field" }, h("span", {}, t("review.width_mm")), h("input", { name: "width", type: "number", min: 1, step: "any", required: true })),
      h("label", { class: "field" }, h("span", {}, t("review.height_mm")), h("input", { name: "height", type: "number", min: 1, step: "any", required: true })),
      h("button", { class: "main", disabled: now.taps.length !== 4 }, t("ok")), h("button", { type: "button", onclick: () => { now.taps = []; draw(); } }, t("review.again")))];
}

function tap(event) {
  if (now.state !== "points" || now.taps.length >= 4) return;
  const { x, y } = new DOMPoint(event.clientX, event.clientY).matrixTransform(over.getScreenCTM().inverse());
  now.taps.push([x, y]);
  const said = [...parts.result.querySelectorAll("input")].map((input) => input.value);
  draw();
  [...parts.result.querySelectorAll("input")].forEach((input, k) => { input.value = said[k]; });
}

async function sendPoints(submit) {
  submit.preventDefault();
  const { width, height } = submit.target;
  const answer = await post("review/points", { points_px: now.taps, width_mm: Number(width.value), height_mm: Number(height.value) });
  if (answer.error) { openDialog(t("review.points"), (close) => [h("p", { class: "error" }, answer.error), h("button", { onclick: close }, t("ok"))]); return; }
  now.taps = [];
  follow();
}

// --- Beginning -------------------------------------------------------------------------------------------

const KEYS = {
  " ": playPause, ArrowRight: (event) => film.show(film.at + (event.shiftKey ? 10 : 1)), ArrowLeft: (event) => film.show(film.at - (event.shiftKey ? 10 : 1)),
  Home: () => film.show(0), End: () => film.show(film.length - 1), "+": () => zoomBy(1.5), "-": () => zoomBy(0.67), l: turnLoop, "[": () => hop(-1), "]": () => hop(1),
};

function onKey(event) {
  if (event.target.closest("input, select, button, dialog") && event.key !== "[" && event.key !== "]") return;
  const act = KEYS[event.key];
  if (act) { event.preventDefault(); act(event); }
}

/** Ask until it is judged. What a journal tells is there at once, its evidence comes with the judgement. */
async function follow() {
  await hear(await get(now.review ? "review/state?brief" : "review/state"));
}

async function hear(said) {
  const first = !now.review, told = said.review ?? now.review;
  Object.assign(now, { state: said.state, judged: said.judged, frames: said.frames, trouble: said.trouble, review: told });
  if (said.review) { keepNames(told.seats); await speakClauses(told.game); showReview(first); } else drawResult();
  if (said.state === "judging") setTimeout(follow, 700);
}

/** The first loud ruling, unless somebody is looking at another one already. */
function showReview(first) {
  now.picked ??= (marks().findLast((mark) => TONES[mark.code] === "bad" || mark.code === "REVIEW") ?? marks().at(-1))?.number ?? null;
  if (first && now.picked !== null) { pick(now.picked); return; }
  draw();
  if (first) film.show(film.at);
}

function tools(name) {
  byId("title").textContent = name;
  fill(byId("tools"), h("select", { "aria-label": t("language"), onchange: async (event) => { await speak(event.target.value); await speakClauses(now.review?.game); draw(); } }, languages().map(([code, words]) => h("option", { value: code, selected: code === language() }, words))));
}

async function begin() {
  film = new Film("review", null, onShow);
  const [said] = await Promise.all([get("review/state"), film.open(), speak()]);
  build(said.size);
  film.canvas = canvas;
  tools(said.name);
  window.review = { show: (index) => film.show(index) };
  document.addEventListener("keydown", onKey);
  if (!said.review) await film.show(0);
  draw();
  await hear(said);
}

begin();
