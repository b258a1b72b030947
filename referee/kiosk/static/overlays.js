// What the referee saw, drawn over the frame it saw it in; each layer can be switched off.

import { h } from "./dom.js";
import { cardName } from "./names.js";
import { t } from "./words.js";

export const LAYERS = ["outlines", "band", "path", "contacts", "plot", "hand"];
const OF_CARDS = ["hand"]; // nothing else is drawn over a table of cards by choice

/** What can be switched for a recording; everything before it is known. */
export const layersOf = (review) => (review && !review.board_px && review.spots ? OF_CARDS : LAYERS);

const points = (outline) => outline.map(([x, y]) => `${x.toFixed(1)},${y.toFixed(1)}`).join(" ");

/** Shapes over frame `at`; `hands` are outlines in that frame. */
export function shapes(review, shot, at, on, hands) {
  return [
    on.has("outlines") && outlines(review, shot, at),
    on.has("band") && shot?.band_px && h("polygon", { class: "band", points: points(shot.band_px) }),
    on.has("path") && shot && way(shot, at),
    on.has("contacts") && shot && at >= shot.closest && contacts(shot),
    on.has("hand") && hands.map((hand) => h("polygon", { class: "hand", points: points(hand) })),
    (review?.spots ?? []).filter((spot) => Math.abs(spot.frame - at) < 40).map(spotted),
  ].flat(3).filter(Boolean);
}

function outlines(review, shot, at) {
  if (!review) return [];
  const pieces = !shot ? review.final : at < shot.frames[0] ? shot.outlines : at >= shot.frames[1] ? shot.after : resting(shot);
  const lines = (pieces ?? []).map((piece) => h("polygon", { class: shot?.posts.includes(piece.id) ? "piece post" : "piece", points: points(piece.outline_px) }));
  return review.board_px ? [h("polygon", { class: "edge", points: points(review.board_px) }), ...lines] : lines;
}

const resting = (shot) => shot.outlines.filter((piece) => piece.id !== shot.shooter.id && !shot.touches.some((touch) => touch.id === piece.id));

function way(shot, at) {
  const steps = shot.way.filter((step) => step.frame <= at);
  const here = steps.at(-1);
  if (!here || at < shot.frames[0]) return [];
  return [
    h("polyline", { class: "path", points: points(steps.map((step) => step.px)) }),
    h("polygon", { class: "shooter", points: points(here.outline_px) }),
  ];
}

const contacts = (shot) => shot.touches.map((touch) => [
  h("circle", { class: "contact", cx: touch.px[0], cy: touch.px[1], r: 30 }),
  h("text", { x: touch.px[0], y: touch.px[1] - 38 }, touch.moved_mm === null ? t("review.touched") : t("review.moved", { mm: touch.moved_mm.toFixed(1) })),
]);

const spotted = (spot) => [h("circle", { class: "contact", cx: spot.px[0], cy: spot.px[1], r: 34 }), h("text", { x: spot.px[0], y: spot.px[1] - 42 }, spot.name ? cardName(spot.name) ?? "" : String(spot.value ?? ""))];

/** Clearance from the band (and space to the nearest post) over the frames of a shot. */
export function plot(shot, at, go) {
  const steps = shot.way.filter((step) => step.clearance_mm !== null);
  if (steps.length < 2) return null;
  const [width, height, left] = [360, 130, 34];
  const frames = steps.map((step) => step.frame);
  const [first, last] = [frames[0], Math.max(frames.at(-1), frames[0] + 1)];
  const values = steps.flatMap((step) => [step.clearance_mm, step.gap_mm]);
  const [low, high] = [Math.max(Math.min(...values, -2), -40), Math.min(Math.max(...values, 2), 40)];
  const x = (frame) => left + ((frame - first) / (last - first)) * (width - left - 6);
  const y = (mm) => 8 + ((high - Math.max(low, Math.min(high, mm))) / (high - low)) * (height - 16);
  const line = (name) => steps.map((step) => `${x(step.frame).toFixed(1)},${y(step[name]).toFixed(1)}`).join(" ");
  const sigma = shot.facts.clearance_sigma_mm ?? 0;
  const drawn = h("svg", { class: "plot", viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": t("review.plot"), onclick: (event) => go(Math.round(first + ((event.offsetX / event.currentTarget.clientWidth) * width - left) / (width - left - 6) * (last - first))) },
    h("polygon", { class: "sure", points: `${left},${y(3 * sigma)} ${width},${y(3 * sigma)} ${width},${y(-3 * sigma)} ${left},${y(-3 * sigma)}` }),
    h("line", { class: "zero", x1: left, x2: width, y1: y(0), y2: y(0) }),
    ...[low, 0, high].map((mm) => h("text", { class: "tick", x: left - 4, y: y(mm) + 4 }, mm.toFixed(0))),
    h("polyline", { class: "gap", points: line("gap_mm") }), h("polyline", { class: "clearance", points: line("clearance_mm") }),
    h("line", { class: "now", x1: x(at), x2: x(at), y1: 4, y2: height - 6, visibility: at < first || at > last ? "hidden" : "visible" }));
  return h("figure", {}, drawn, h("figcaption", { class: "hint" }, t("review.plot_key")));
}
