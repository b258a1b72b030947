// The table drawn from measurements, with the live picture under it.

import { h } from "./dom.js";
import { cardName, zoneName } from "./names.js";

const points = (outline) => outline.map(([x, y]) => `${x.toFixed(1)},${y.toFixed(1)}`).join(" ");
const middle = (outline) => outline.reduce(([a, b], [x, y]) => [a + x / outline.length, b + y / outline.length], [0, 0]);

/** Draw a scene into `svg`; `picking` is {chosen, onpick} while pieces are tapped, `placing` {onplace} while zones are dragged. */
export function drawScene(svg, scene, picking, placing) {
  const [width, height] = scene?.size ?? [1280, 720];
  svg.setAttribute("viewBox", `0 0 ${width} ${height}`);
  let layer = svg.querySelector("g");
  if (!layer) svg.append((layer = h("g")));
  if (layer.querySelector(".held")) return; // a zone is under somebody's finger
  svg.setAttribute("role", picking || placing ? "group" : "img");
  const kept = keyOf(document.activeElement);
  layer.replaceChildren(...(scene ? shapes(scene, picking, placing) : []));
  if (kept) [...layer.querySelectorAll("[tabindex]")].find((shape) => keyOf(shape) === kept)?.focus();
}

/** What a shape stands for, so that the keyboard stays on it when it is drawn anew. */
const keyOf = (shape) => shape?.dataset?.zone ?? shape?.dataset?.piece;

function shapes(scene, picking, placing) {
  return [
    ...(scene.board_px ? [h("polygon", { class: "edge", points: points(scene.board_px) })] : []),
    ...(scene.cards ?? []).flatMap((card) => labelled("card", card.corners_px, cardName(card.name), "name")),
    ...(scene.dice ?? []).flatMap((die) => [h("circle", { class: "die", cx: die.px[0], cy: die.px[1], r: 16 }), label(die.px, die.value)]),
    ...(scene.shot ? drawShot(scene.shot) : []),
    ...(scene.pieces ?? []).map((piece) => drawPiece(piece, picking)),
    ...(scene.zones ?? []).map((zone) => drawZone(zone, placing, scene.size)),
  ];
}

/** The last shot: the gate's band, the shooter's way, how far it came, and what it moved. */
function drawShot({ path_px: path, gate }) {
  const signed = (mm) => `${mm > 0 ? "+" : "−"}${Math.abs(mm).toFixed(1)}`;
  const clearance = gate && gate.clearance_mm !== null && path.length > 0;
  return [
    gate && h("polygon", { class: "band", points: points(gate.band_px) }),
    path.length > 1 && h("polyline", { class: "way", points: points(path) }),
    clearance && measured(path.at(-1), `${signed(gate.clearance_mm)} ± ${gate.sigma_mm.toFixed(1)} mm`),
    ...(gate?.moved ?? []).map(({ px, mm }) => measured(px, `↔ ${mm.toFixed(1)} mm`)),
  ].filter(Boolean);
}

const measured = ([x, y], text) => h("text", { class: "measured", x: x + 22, y: y - 16 }, text);

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

const STEP_PX = 10;
const ARROWS = { ArrowLeft: [-STEP_PX, 0], ArrowRight: [STEP_PX, 0], ArrowUp: [0, -STEP_PX], ArrowDown: [0, STEP_PX] };

/** A zone; while placing it follows the finger, or the arrow keys. */
function drawZone(zone, placing, size) {
  const masked = zone.read === false;
  const named = placing || masked || zone.name.startsWith("SLOT ");
  const shape = h("g", { class: `place${masked ? " masked" : ""}`, "data-zone": zone.name }, h("polygon", { class: "zone", points: points(zone.outline_px) }), named && label(within(middle(zone.outline_px), size), zoneName(zone.name), "where"));
  if (!placing) return shape;
  shape.setAttribute("tabindex", "0");
  shape.setAttribute("role", "button");
  shape.setAttribute("aria-label", zoneName(zone.name));
  shape.classList.add("draggable");
  const [x, y] = middle(zone.outline_px);
  shape.addEventListener("keydown", (event) => { const by = ARROWS[event.key]; if (by) { event.preventDefault(); placing.onplace(zone.name, [x + by[0], y + by[1]]); } });
  shape.addEventListener("pointerdown", (event) => hold(shape, event, (dx, dy) => placing.onplace(zone.name, [x + dx, y + dy])));
  return shape;
}

function hold(shape, down, release) {
  const scale = 1 / shape.ownerSVGElement.getScreenCTM().a;
  const moved = (event) => [(event.clientX - down.clientX) * scale, (event.clientY - down.clientY) * scale];
  shape.setPointerCapture(down.pointerId);
  shape.classList.add("held");
  shape.onpointermove = (event) => shape.setAttribute("transform", `translate(${moved(event).join(" ")})`);
  shape.onpointerup = shape.onpointercancel = (event) => { shape.onpointermove = null; shape.classList.remove("held"); release(...moved(event)); };
}

/** A hand reaches beyond the picture; its name does not. */
const within = ([x, y], [width, height]) => [Math.min(Math.max(x, 60), width - 60), Math.min(Math.max(y, 24), height - 24)];
const labelled = (kind, outline, text, role) => [h("polygon", { class: kind, points: points(outline) }), label(middle(outline), text, role)].filter(Boolean);
const label = ([x, y], text, role) => (text === null || text === undefined ? null : h("text", { class: role, x, y: y + 7 }, String(text)));

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
