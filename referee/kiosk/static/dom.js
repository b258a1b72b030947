// Small things to build a page with.

const SVG = new Set(["svg", "polygon", "polyline", "circle", "path", "text", "g", "image", "line"]);

/** h("button", {onclick, class: "main"}, "Go on") */
export function h(tag, attributes = {}, ...children) {
  const element = SVG.has(tag) ? document.createElementNS("http://www.w3.org/2000/svg", tag) : document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (typeof value === "function") element.addEventListener(name.slice(2), value);
    else element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.flat(9).filter((child) => child !== null && child !== undefined && child !== false));
  return element;
}

export const byId = (id) => document.getElementById(id);

/** Replace what `element` holds, keeping the keyboard where it was. */
export function fill(element, ...children) {
  const key = document.activeElement?.dataset?.key;
  element.replaceChildren(...children.flat(9).filter(Boolean));
  if (key) element.querySelector(`[data-key="${CSS.escape(key)}"]`)?.focus();
}

/** Open the page's one dialog; `build(close)` gives its content. */
export function openDialog(title, build) {
  const dialog = byId("dialog");
  const close = () => dialog.close();
  fill(dialog, h("div", { class: "body" }, h("h2", { id: "dialog-title" }, title), ...[build(close)].flat()));
  if (!dialog.open) dialog.showModal();
  return close;
}
