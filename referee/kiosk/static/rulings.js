// One ruling as people read it: what, why, by which clause.

import { h } from "./dom.js";
import { said } from "./sentences.js";
import { t } from "./words.js";

const TONES = { FOUL: "bad", ILLEGAL: "bad", CORRECT: "bad", ELIMINATED: "bad", LOSS: "bad", AUDIT: "bad", OK: "good", SCORE: "good", WIN: "good", REVIEW: "ask", PROMPT: "ask", UNSEEN: "ask", DRAW: "ask" };

export function rulingCard(ruling, fresh = false) {
  const clauses = ruling.clauses.map((id) => [id, ruling.texts?.[id]]);
  return h("article", { class: `ruling${fresh ? " new" : ""}`, "data-tone": TONES[ruling.code] ?? "plain", "data-number": ruling.number },
    h("p", {}, h("span", { class: "code" }, t(`code.${ruling.code}`)), ruling.number && h("span", { class: "number" }, ` · ${t("number", { n: ruling.number })}`)),
    h("p", { class: "because" }, said(ruling.because)),
    clauses.map(([id, text]) => h("p", { class: "clauses" }, h("b", {}, id), text && text !== id ? ` ${text}` : "")));
}

export const isLoud = (ruling) => !["INFO", "ASSUME"].includes(ruling.code);
