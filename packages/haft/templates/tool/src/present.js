/** What the model reads of a result. It knows what it asked for, so nothing of that is repeated. */
export function present({ words }) {
  return `${words} ${words === 1 ? "word" : "words"}`
}
