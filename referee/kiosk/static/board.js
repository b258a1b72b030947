// The table drawn from measurements, with the live picture under it.

import { h } from "./dom.js";

const points = (outline) => outline.map(([x, y]) => `${x.toFixed(1)},${y.toFixed(1)}`).join(" ");
const middle = (outline) => outline.reduce(([a, b], [x, y]) => [a + x / outline.length, b + y / outline.length], [0, 0]);

/** Draw a scene into `svg`; `picking` is {chosen: Set, onpick} while pieces are to be tapped. */
export function drawScene(svg, scene, picking) {
  const [width, height] = scene?.size ?? [1280, 720];
  svg.setAttribute("viewBox", `0 0 ${width} ${height}`);
  let layer = svg.querySelector("g");
  if (!layer) svg.append((layer = h("g")));
  layer.replaceChildren(...(scene ? shapes(scene, picking) : []));
}

function shapes(scene, picking) {
  return [
    ...(scene.board_px ? [h("polygon", { class: "edge", points: points(scene.board_px) })] : []),
    ...(scene.zones ?? []).flatMap((zone) => labelled("zone", zone.outline_px, zone.name)),
    ...(scene.cards ?? []).flatMap((card) => labelled("card", card.corners_px, card.name)),
    ...(scene.dice ?? []).flatMap((die) => [h("circle", { class: "die", cx: die.px[0], cy: die.px[1], r: 16 }), label(die.px, die.value)]),
    ...(scene.pieces ?? []).map((piece) => drawPiece(piece, picking)),
  ];
}

function drawPiece(piece, picking) {
  const chosen = picking?.chosen.has(piece.id);
  const shape = h("polygon", { class: `piece${picking ? " tappable" : ""}${chosen ? " picked" : ""}`, points: points(piece.outline_px), "data-piece": piece.id });
  if (!picking) return shape;
  shape.setAttribute("tabindex", "0");
  shape.setAttribute("role", "button");
  shape.setAttribute("aria-pressed", String(Boolean(chosen)));
  shape.setAttribute("aria-label", `${picking.name} ${piece.id}`);
  const pick = () => picking.onpick(piece);
  shape.addEventListener("click", pick);
  shape.addEventListener("keydown", (event) => { if (event.key === "Enter" || event.key === " ") pick(); });
  return shape;
}

const labelled = (kind, outline, text) => [h("polygon", { class: kind, points: points(outline) }), label(middle(outline), text)];
const label = ([x, y], text) => (text === null || text === undefined ? null : h("text", { x, y: y + 7 }, String(text)));

/** The svg that holds picture and shapes; the picture is asked for only where one is taken. */
export function makeBoard(name) {
  const picture = h("image", { href: "", width: "100%", height: "100%", preserveAspectRatio: "xMidYMid meet" });
  return h("svg", { role: "img", "aria-label": name, preserveAspectRatio: "xMidYMid meet" }, picture);
}

export function showPicture(svg, on) {
  const picture = svg.querySelector("image");
  const want = on ? "live.mjpg" : "";
  if (picture.getAttribute("href") !== want) picture.setAttribute("href", want);
}
