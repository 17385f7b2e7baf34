import type { Example } from "@haft/contract"
import type { manifest } from "./manifest.js"

/** Calls that show what `edit` promises. */
export const examples: readonly Example<typeof manifest>[] = [
  {
    name: "one place in a file",
    files: { "a.ts": "const a = 1\nconst b = 2\n" },
    input: { file_path: "a.ts", old_string: "b = 2", new_string: "b = 3" },
    output: { file_path: "a.ts", replacements: 1, first_line: 2 },
    after: { "a.ts": "const a = 1\nconst b = 3\n" },
  },
  {
    name: "line endings of the file are kept",
    files: { "a.txt": "one\r\ntwo\r\nthree" },
    input: { file_path: "a.txt", old_string: "one\ntwo", new_string: "one\nand a half\ntwo" },
    output: { replacements: 1, first_line: 1, normalised: "line endings" },
    after: { "a.txt": "one\r\nand a half\r\ntwo\r\nthree" },
  },
  {
    name: "every occurrence",
    files: { "a.txt": "x y x\nx\n" },
    input: { file_path: "a.txt", old_string: "x", new_string: "zz", replace_all: true },
    output: { replacements: 3, first_line: 1 },
    after: { "a.txt": "zz y zz\nzz\n" },
  },
  {
    name: "a text that occurs twice is a conflict",
    files: { "a.txt": "x\nx\n" },
    input: { file_path: "a.txt", old_string: "x", new_string: "y" },
    fails: "conflict",
    after: { "a.txt": "x\nx\n" },
  },
  {
    name: "a similar text is shown and never changed",
    files: { "a.ts": "export function total(items: Item[]) {\n  return items.length\n}\n" },
    input: { file_path: "a.ts", old_string: "export function total(list: Item[]) {", new_string: "x" },
    fails: "conflict",
    after: { "a.ts": "export function total(items: Item[]) {\n  return items.length\n}\n" },
  },
]
