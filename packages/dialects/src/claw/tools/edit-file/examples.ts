import type { Example } from "@haft/contract"
import type { manifest } from "./manifest.js"

const files = { "a.txt": "red\nblue\nred\n" }

/** Calls that show what `edit_file` promises. */
export const examples: readonly Example<typeof manifest>[] = [
  {
    name: "one place",
    files,
    input: { path: "a.txt", old_string: "blue", new_string: "b" },
    output: { replacements: 1 },
    after: { "a.txt": "red\nb\nred\n" },
  },
  {
    name: "every place",
    files,
    input: { path: "a.txt", old_string: "red", new_string: "r", replace_all: true },
    output: { replacements: 2 },
    after: { "a.txt": "r\nblue\nr\n" },
  },
  {
    name: "several places without being told so",
    files,
    input: { path: "a.txt", old_string: "red", new_string: "r" },
    fails: "conflict",
    after: { "a.txt": "red\nblue\nred\n" },
  },
  {
    name: "a text that is not there",
    files,
    input: { path: "a.txt", old_string: "green", new_string: "g" },
    fails: "conflict",
  },
]
