import type { Example } from "@haft/contract"
import type { manifest } from "./manifest.js"

const files = { "a.txt": "a\n", "b.txt": "b\n", "src/one.ts": "1\n", "src/deep/two.ts": "2\n" }

/** Calls that show what `move` promises. */
export const examples: readonly Example<typeof manifest>[] = [
  {
    name: "a file into a new folder",
    files,
    input: { moves: [{ from: "a.txt", to: "notes/a.txt" }] },
    output: { moved: [{ from: "a.txt", to: "notes/a.txt" }] },
    after: { "a.txt": null, "notes/a.txt": "a\n" },
  },
  {
    name: "a folder with everything in it",
    files,
    input: { moves: [{ from: "src", to: "lib" }] },
    output: { moved: [{ from: "src", to: "lib" }] },
    after: { "src/one.ts": null, "lib/one.ts": "1\n", "lib/deep/two.ts": "2\n" },
  },
  {
    name: "two files change places over a third name",
    files,
    input: {
      moves: [
        { from: "a.txt", to: "c.txt" },
        { from: "b.txt", to: "a.txt" },
        { from: "c.txt", to: "b.txt" },
      ],
    },
    output: {
      moved: [
        { from: "a.txt", to: "c.txt" },
        { from: "b.txt", to: "a.txt" },
        { from: "c.txt", to: "b.txt" },
      ],
    },
    after: { "a.txt": "b\n", "b.txt": "a\n", "c.txt": null },
  },
  {
    name: "nothing is overwritten, and nothing is moved",
    files,
    input: {
      moves: [
        { from: "src", to: "lib" },
        { from: "a.txt", to: "b.txt" },
      ],
    },
    fails: "conflict",
    after: { "a.txt": "a\n", "b.txt": "b\n", "src/one.ts": "1\n" },
  },
]
