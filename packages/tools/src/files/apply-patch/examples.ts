import type { Example } from "@haft/contract"
import type { manifest } from "./manifest.js"

const files = { "a.txt": "one\ntwo\nthree\n", "old.txt": "gone\n" }

/** Calls that show what `apply_patch` promises. */
export const examples: readonly Example<typeof manifest>[] = [
  {
    name: "a unified diff that changes one file and adds another",
    files,
    input: {
      patch:
        "diff --git a/a.txt b/a.txt\n--- a/a.txt\n+++ b/a.txt\n@@ -1,3 +1,3 @@\n one\n-two\n+2\n three\n--- /dev/null\n+++ b/new/b.txt\n@@ -0,0 +1 @@\n+fresh\n",
    },
    output: {
      files: [
        { path: "a.txt", action: "update", hunks: 1 },
        { path: "new/b.txt", action: "add", hunks: 1 },
      ],
    },
    after: { "a.txt": "one\n2\nthree\n", "new/b.txt": "fresh\n" },
  },
  {
    name: "the Begin Patch form: update with a move, and delete",
    files,
    input: {
      patch:
        "*** Begin Patch\n*** Update File: a.txt\n*** Move to: moved/a.txt\n@@ one\n-two\n+2\n three\n*** Delete File: old.txt\n*** End Patch\n",
    },
    output: {
      files: [
        { path: "moved/a.txt", action: "move", from: "a.txt", hunks: 1 },
        { path: "old.txt", action: "delete", hunks: 0 },
      ],
    },
    after: { "a.txt": null, "moved/a.txt": "one\n2\nthree\n", "old.txt": null },
  },
  {
    name: "one hunk that does not fit, and no file is changed",
    files,
    input: {
      patch:
        "*** Begin Patch\n*** Add File: b.txt\n+fresh\n*** Update File: a.txt\n@@\n one\n-zwei\n+2\n*** End Patch\n",
    },
    fails: "conflict",
    after: { "a.txt": "one\ntwo\nthree\n", "b.txt": null },
  },
]
