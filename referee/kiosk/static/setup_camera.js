// The camera: which, whether it is calibrated and how exactly, where its zones lie, and the deck it reads.

import { drawScene, makeBoard } from "./board.js";
import { h } from "./dom.js";
import { post } from "./net.js";
import { said } from "./sentences.js";
import { t } from "./words.js";

const FINE_MM = 1.2;

/** Offers camera, calibration and deck; `start(withCamera)` begins the match. */
export const cameraPage = (draft, sheets, again, start) => [h("h2", { class: "headline" }, t("camera")), h("p", { class: "hint" }, t("camera_hint")),
  field(draft, "camera", t("camera_name"), sheets.cameras[0] ?? "webcam:0", sheets.cameras), field(draft, "profile", t("profile_path"), "profile.json"), calibration(draft),
  readsCards(draft) && field(draft, "deck", t("deck_name"), "standard", sheets.decks),
  h("div", { class: "row" }, h("button", { "data-key": "check", disabled: draft.looking, onclick: () => look(draft, sheets, again) }, t(draft.looking ? "looking" : "check_camera"))),
  draft.seen && picture(draft, sheets, again),
  h("div", { class: "row onward" }, h("button", { onclick: () => again({ step: 2 }) }, t("back")),
    h("button", { class: "main", disabled: draft.looking, onclick: () => start(true) }, t("start_camera")), h("button", { onclick: () => start(false) }, t("start_by_hand")))];

/** What goes into the set-up. */
export function wanted(draft, sheets, withCamera) {
  if (!withCamera) return { camera: null };
  const before = sheets.last.game === draft.game.name ? sheets.last.zones : {};
  return { camera: draft.camera || sheets.cameras[0] || "webcam:0", profile: draft.profile || null, deck: draft.deck || null, zones: draft.seen?.placed ?? before };
}

const readsCards = (draft) => draft.game.name !== "rocca";

const calibration = (draft) => h("details", { class: "more", open: !draft.profile }, h("summary", {}, t(draft.profile ? "calibrated" : "not_calibrated")),
  h("ol", { class: "how" }, [1, 2, 3, 4].map((k) => h("li", {}, t(`calibrate.${k}`)))), h("p", {}, h("code", {}, "referee calibrate")));

/** Ask the table to look through its camera once; `moved` are zones that were dragged, in pixels. */
async function look(draft, sheets, again, moved = {}) {
  again({ looking: true });
  const answer = await post("api/preview", { game: draft.game.name, seats: draft.seats, ...wanted(draft, sheets, true), moved_px: moved });
  again({ looking: false, seen: answer.error ? { trouble: answer.error } : answer });
}

function picture(draft, sheets, again) {
  const { seen } = draft;
  const quality = [seen.trouble && h("p", { class: "error", role: "alert" }, said(seen.trouble)), seen.calibration && exactness(seen.calibration)];
  if (!seen.picture) return quality;
  const svg = makeBoard(t("board"));
  svg.querySelector("image").setAttribute("href", seen.picture);
  drawScene(svg, seen, null, seen.zones.length ? { onplace: (name, px) => look(draft, sheets, again, { [name]: px }) } : null);
  return [quality, h("div", { class: "board preview" }, svg), seen.zones.length > 0 && h("p", { class: "hint" }, t("drag_zones"))];
}

/** How exact the calibration is, in the table's words. */
const exactness = ({ reprojection_px: px, plane_error_mm: mm, smallest_margin_mm: least }) => h("p", { class: "exact", "data-tone": least <= FINE_MM ? "good" : "ask", role: "status" },
  h("b", {}, t(least <= FINE_MM ? "exact.fine" : "exact.coarse")), ` ${t("review.calibration", { px: px.toFixed(2), mm: mm.toFixed(2), least: least.toFixed(1) })}`);

function field(draft, name, label, hint, options = []) {
  return h("label", { class: "field" }, h("span", {}, label), h("input", { value: draft[name], placeholder: hint, list: `${name}-list`, autocomplete: "off", oninput: (event) => { draft[name] = event.target.value.trim(); draft.seen = null; } }),
    h("datalist", { id: `${name}-list` }, options.map((option) => h("option", { value: option }))));
}
