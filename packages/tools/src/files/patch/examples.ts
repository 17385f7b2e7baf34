import type { Example } from "@haft/contract"
import type { manifest } from "./manifest.js"

/** Calls that show what `patch` promises. */
export const examples: readonly Example<typeof manifest>[] = [
  {
    name: "two hunks",
    files: { "a.txt": "one\ntwo\nthree\nfour\nfive\n" },
    input: {
      file_path: "a.txt",
      diff: "@@ -1,2 +1,3 @@\n one\n+one and a half\n two\n@@ -4,2 +5,1 @@\n-four\n five\n",
    },
    output: { file_path: "a.txt", hunks: 2, added: 1, removed: 1 },
    after: { "a.txt": "one\none and a half\ntwo\nthree\nfive\n" },
  },
  {
    name: "lines before the first hunk are ignored, CRLF is kept",
    files: { "a.txt": "one\r\ntwo\r\n" },
    input: { file_path: "a.txt", diff: "--- a/a.txt\n+++ b/a.txt\n@@ -1,2 +1,2 @@\n one\n-two\n+three\n" },
    output: { hunks: 1, added: 1, removed: 1 },
    after: { "a.txt": "one\r\nthree\r\n" },
  },
  {
    name: "a context line that differs is a conflict",
    files: { "a.txt": "one\ntwo\n" },
    input: { file_path: "a.txt", diff: "@@ -1,2 +1,2 @@\n uno\n-two\n+three\n" },
    fails: "conflict",
    after: { "a.txt": "one\ntwo\n" },
  },
  {
    name: "a header that miscounts is refused",
    files: { "a.txt": "one\ntwo\n" },
    input: { file_path: "a.txt", diff: "@@ -1,3 +1,3 @@\n one\n-two\n+three\n" },
    fails: "invalid_args",
    after: { "a.txt": "one\ntwo\n" },
  },
]
