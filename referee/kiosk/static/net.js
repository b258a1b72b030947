// The line to the table: messages in, acts out. It comes back by itself.

import { t } from "./words.js";

const COMES_BACK_MS = 4000;
const waiting = new Map();
let socket = null;
let number = 0;
let pause = 250;

export function connect(onMessage, onLine) {
  const url = new URL("ws", location.href);
  url.protocol = url.protocol.replace("http", "ws");
  socket = new WebSocket(url);
  socket.onopen = () => { pause = 250; onLine(true); };
  socket.onmessage = (event) => receive(JSON.parse(event.data), onMessage);
  socket.onclose = () => {
    onLine(false);
    for (const [, settle] of waiting) settle({ error: t("no_line") });
    waiting.clear();
    setTimeout(() => connect(onMessage, onLine), pause);
    pause = Math.min(pause * 2, 5000);
  };
}

/** Hang up and dial again: a new PIN or seat means new things to see. */
export function reconnect() {
  socket?.close();
}

function receive(message, onMessage) {
  if (message.kind !== "answer") return onMessage(message);
  waiting.get(message.id)?.(message);
  waiting.delete(message.id);
}

/** Whether the line is up, waiting a moment for one that is coming back. */
async function isUp() {
  for (const end = performance.now() + COMES_BACK_MS; performance.now() < end; await new Promise((go) => setTimeout(go, 50))) {
    if (socket?.readyState === WebSocket.OPEN) return true;
  }
  return false;
}

/** Tell the referee something; resolves to {rulings} or {error}. */
export async function act(event) {
  if (!(await isUp())) return { error: t("no_line") };
  return new Promise((settle) => {
    number += 1;
    waiting.set(number, settle);
    socket.send(JSON.stringify({ id: number, act: event }));
  });
}

export async function get(path) {
  return (await fetch(path)).json();
}

export async function post(path, body) {
  const answer = await fetch(path, { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) });
  return answer.json();
}
