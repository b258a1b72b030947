// The clauses of a game in the reader's language; English comes with each ruling.

import { language } from "./words.js";

const COLUMN = { de: 0, ja: 1 };
let words = {};
let spoken = "";

/** Load the clauses of a game; whether there is anything new to show. */
export async function speakClauses(game) {
  const column = COLUMN[language()], wanted = `${game} ${language()}`;
  if (!game || wanted === spoken) return false;
  spoken = wanted;
  const books = column === undefined ? [] : await Promise.all([game, "house"].map(async (name) => (await fetch(`words/clauses/${name}.json`)).json()));
  if (spoken === wanted) words = Object.fromEntries(books.flatMap(Object.entries).map(([id, others]) => [id, others[column]]));
  return true;
}

/** What a clause says; as it came where nobody has written it in this language. */
export const clauseText = (id, english) => words[id] ?? english;
