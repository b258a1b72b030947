// The camera: which, whether it is calibrated and how that is done, and the deck it reads.

import { h } from "./dom.js";
import { t } from "./words.js";

/** Offers camera, calibration and deck; `start(withCamera)` begins the match. */
export const cameraPage = (draft, sheets, again, start) => [h("h2", { class: "headline" }, t("camera")), h("p", { class: "hint" }, t("camera_hint")),
  field(draft, "camera", t("camera_name"), sheets.cameras[0] ?? "webcam:0", sheets.cameras), field(draft, "profile", t("profile_path"), "profile.json"), calibration(draft),
  readsCards(draft) && field(draft, "deck", t("deck_name"), "standard", sheets.decks), readsCards(draft) && h("p", { class: "hint" }, t("zones_hint")),
  h("div", { class: "row onward" }, h("button", { onclick: () => again({ step: 2 }) }, t("back")),
    h("button", { class: "main", onclick: () => start(true) }, t("start_camera")), h("button", { onclick: () => start(false) }, t("start_by_hand")))];

/** What goes into the set-up. */
export function wanted(draft, sheets, withCamera) {
  if (!withCamera) return { camera: null };
  const zones = sheets.last.game === draft.game.name ? sheets.last.zones : {};
  return { camera: draft.camera || sheets.cameras[0] || "webcam:0", profile: draft.profile || null, deck: draft.deck || null, zones };
}

const readsCards = (draft) => draft.game.name !== "rocca";

const calibration = (draft) => h("details", { class: "more", open: !draft.profile }, h("summary", {}, t(draft.profile ? "calibrated" : "not_calibrated")),
  h("ol", { class: "how" }, [1, 2, 3, 4].map((k) => h("li", {}, t(`calibrate.${k}`)))), h("p", {}, h("code", {}, "referee calibrate")));

function field(draft, name, label, hint, options = []) {
  return h("label", { class: "field" }, h("span", {}, label), h("input", { value: draft[name], placeholder: hint, list: `${name}-list`, autocomplete: "off", oninput: (event) => { draft[name] = event.target.value.trim(); } }),
    h("datalist", { id: `${name}-list` }, options.map((option) => h("option", { value: option }))));
}
