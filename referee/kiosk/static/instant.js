// The disputed moment again, in slow motion, a moment after it happened.

import { h } from "./dom.js";
import { Film } from "./film.js";
import { get } from "./net.js";
import { t } from "./words.js";

const SPEEDS = [0.05, 0.1, 0.25, 0.5, 1];

/** An element that shows the ruling's frames in a loop; it says so when there are none. */
export function instantReplay(ruling) {
  const place = h("div", { class: "instant", "aria-busy": "true" }, h("p", { class: "hint" }, t("instant.wait")));
  load(place, `instant/${ruling.number}`).catch(() => place.replaceChildren(h("p", { class: "hint" }, t("instant.none"))));
  return place;
}

async function load(place, base) {
  const said = await get(`${base}/state`);
  place.removeAttribute("aria-busy");
  if (said.error) { place.replaceChildren(h("p", { class: "hint" }, said.error)); return; }
  const canvas = h("canvas", { width: said.size[0], height: said.size[1], role: "img", "aria-label": t("review.picture") });
  const which = h("span", { class: "hint" });
  const film = new Film(base, canvas, (at) => { which.textContent = `${at + 1} / ${film.length}`; if (!place.isConnected) film.pause(); });
  film.speed = 0.25;
  await film.open();
  film.loop = [0, film.length - 1];
  const turn = () => { if (film.playing) film.show(film.at); else film.play(); };
  place.replaceChildren(canvas, h("div", { class: "row" },
    h("button", { onclick: () => film.show(film.at - 1), "aria-label": t("review.back") }, "−1"), h("button", { onclick: turn, "aria-label": t("review.play") }, "▶ ⏸"),
    h("button", { onclick: () => film.show(film.at + 1), "aria-label": t("review.step") }, "+1"),
    h("select", { "aria-label": t("review.speed"), onchange: (event) => { film.speed = Number(event.target.value); } }, SPEEDS.map((speed) => h("option", { value: speed, selected: speed === film.speed }, `${speed}×`))), which),
  ...numbers(said));
  await film.show(0);
  film.play();
}

const numbers = ({ margin_mm: margin, tolerance_mm: tolerance, readings }) => [
  margin !== null && margin !== undefined && h("p", {}, h("b", {}, `${margin > 0 ? "+" : ""}${margin} mm`), tolerance ? ` (${t("instant.tolerance", { mm: tolerance })})` : ""),
  ...readings.map((reading) => h("p", { class: "hint" }, reading)),
].filter(Boolean);
