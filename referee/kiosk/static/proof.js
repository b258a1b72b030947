// The evidence of a shot as the review and a dispute show it: numbers, both readings, the deciding frame from above.

import { h } from "./dom.js";
import { said } from "./sentences.js";
import { t } from "./words.js";

/** What was measured, each with its name. */
export function numbers(shot) {
  const facts = shot.facts;
  const cells = [
    facts.clearance_mm !== null && ["review.clearance", `${facts.clearance_mm.toFixed(1)} ± ${facts.clearance_sigma_mm.toFixed(1)} mm`],
    facts.gate_gap_mm && ["review.gap", `${Math.min(...facts.gate_gap_mm.filter((gap) => gap !== null)).toFixed(1)} mm`],
    facts.gate_moved_mm && ["review.posts_moved", facts.gate_moved_mm.map((mm) => (mm === null ? "–" : mm.toFixed(2))).join(" / ") + " mm"],
    facts.hand_contact_ms !== null && ["review.hand_time", `${Math.round(facts.hand_contact_ms)} ms`],
    ["review.sure", `${Math.round(shot.confidence * 100)} %`],
  ].filter(Boolean);
  return h("div", { class: "numbers" }, cells.map(([name, value]) => h("div", {}, h("span", { class: "hint" }, t(name)), h("b", {}, value))));
}

/** The deciding frame from straight above, with what was measured drawn in millimetres. */
export function above(src, shot) {
  const [left, low, right, high] = shot.window_mm;
  const flip = (outline) => outline.map(([x, y]) => `${x},${-y}`).join(" ");
  const atRest = shot.closest >= shot.frames[1];
  return h("figure", { class: "above" },
    h("div", {}, h("img", { src, alt: t("review.above") }),
      h("svg", { viewBox: `${left} ${-high} ${right - left} ${high - low}`, "aria-hidden": "true" },
        shot.band_mm && h("polygon", { class: "band", points: flip(shot.band_mm) }),
        shot.outlines.filter((piece) => shot.posts.includes(piece.id)).map((piece) => h("polygon", { class: "piece post", points: flip(piece.outline_mm) })),
        atRest && shot.end_mm && h("polygon", { class: "shooter", points: flip(shot.end_mm) }))),
    h("figcaption", { class: "hint" }, t("review.above_at", { n: shot.closest })));
}

/** Both sides of a close question. */
export const bothReadings = (shot) => shot.readings.length > 0 && h("div", { class: "readings" }, shot.readings.map((reading) =>
  h("div", {}, reading.likely !== undefined && h("b", {}, `${Math.round(reading.likely * 100)} %`), h("span", {}, said(reading.if)), h("span", { class: "hint" }, `${said(reading.then)} ${(reading.clauses ?? []).join(", ")}`))));

/** A box for each layer that can be switched on and off. */
export const layerBoxes = (layers, on, changed) => layers.map((layer) => h("label", {}, h("input", { type: "checkbox", "data-key": layer, checked: on.has(layer),
  onchange: (event) => { on[event.target.checked ? "add" : "delete"](layer); changed(); } }), t(`review.layer.${layer}`)));
