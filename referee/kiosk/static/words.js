// Every word of the page, by language. `t("undo")`; `{n}` is filled in.

import { speakSentences } from "./sentences.js";

const LANGUAGES = { en: "English", de: "Deutsch", ja: "日本語" };
let words = {};
let english = {};

export const languages = () => Object.entries(LANGUAGES);
export const language = () => document.documentElement.lang;

export async function speak(code) {
  const wanted = code || localStorage.getItem("language") || navigator.language.slice(0, 2);
  const chosen = LANGUAGES[wanted] ? wanted : "en";
  const book = async (name) => (await fetch(`words/${name}.json`)).json();
  [english, words] = await Promise.all([book("en"), book(chosen), speakSentences(chosen)]);
  localStorage.setItem("language", chosen);
  document.documentElement.lang = chosen;
}

/** The words for `key`, or nothing when nobody wrote any. */
export const known = (key) => words[key] ?? english[key];

export function t(key, values = {}) {
  const text = words[key] ?? english[key] ?? key;
  return text.replace(/\{(\w+)\}/g, (_, name) => values[name] ?? "");
}
