/** Three to five calls in a small world: they are the tests, the documentation, and what the gallery draws. */
export const examples = [
  { name: "a sentence", files: { "a.txt": "two words\n" }, input: { path: "a.txt" }, output: { words: 2 } },
  { name: "an empty file", files: { "a.txt": "" }, input: { path: "a.txt" }, output: { words: 0 } },
  { name: "a file that is not there", input: { path: "none.txt" }, fails: "not_found" },
]
