import { readdirSync } from "node:fs"
import { ToolError } from "@haft/contract"
import { afterEach, describe, expect, test } from "vitest"
import { failure } from "../../../test/failure.js"
import { openBench, type ToolBench } from "../../../test/tool-bench.js"
import { applyPatch } from "./index.js"

let bench: ToolBench
afterEach(() => bench?.close())

/** As the host does it: arguments that do not fit never reach a rule, a person or the tool. */
const run = async (patch: string) => {
  const { error } = applyPatch.manifest.input.safeParse({ patch })
  if (error) throw new ToolError("invalid_args", error.issues.map(({ message }) => message).join("; "))
  return bench.run(applyPatch, { patch })
}
const read = (path: string) => bench.workspace.readText(path)

describe("a unified diff", () => {
  test("of git: change, add, delete, rename with and without change, quoted names", async () => {
    bench = await openBench({
      "a.txt": "1\n2\n3\n",
      "gone.txt": "x\n",
      "old name.txt": "a\nb\n",
      "r.txt": "same\n",
      "ä.txt": "u\n",
    })
    const patch = [
      ...["From 1234 Mon Sep 17", "Subject: words of a mail", "", "diff --git a/a.txt b/a.txt", "index 1..2 100644"],
      ...["--- a/a.txt", "+++ b/a.txt", "@@ -1,3 +1,3 @@", " 1", "-2", "+two", " 3"],
      ...[
        "diff --git a/new/b.txt b/new/b.txt",
        "new file mode 100644",
        "--- /dev/null",
        "+++ b/new/b.txt",
        "@@ -0,0 +1,2 @@",
      ],
      ...["+n", "+m", "\\ No newline at end of file"],
      ...["diff --git a/empty b/empty", "new file mode 100644", "index 000..e69de29"],
      ...[
        "diff --git a/gone.txt b/gone.txt",
        "deleted file mode 100644",
        "--- a/gone.txt",
        "+++ /dev/null",
        "@@ -1 +0,0 @@",
        "-x",
      ],
      ...[
        "diff --git a/old name.txt b/new name.txt",
        "similarity index 50%",
        "rename from old name.txt",
        "rename to new name.txt",
      ],
      ...["--- a/old name.txt\t", "+++ b/new name.txt\t", "@@ -1,2 +1,2 @@", " a", "-b", "+B"],
      ...["diff --git a/r.txt b/s.txt", "similarity index 100%", "rename from r.txt", "rename to s.txt"],
      ...[
        'diff --git "a/\\303\\244.txt" "b/\\303\\244.txt"',
        '--- "a/\\303\\244.txt"',
        '+++ "b/\\303\\244.txt"',
        "@@ -1 +1 @@",
        "-u",
        "+v",
      ],
      ...["-- ", "2.40.0", ""],
    ].join("\n")
    const { data, text, state } = await run(patch)
    expect(data.files).toEqual([
      { path: "a.txt", action: "update", hunks: 1 },
      { path: "new/b.txt", action: "add", hunks: 1 },
      { path: "empty", action: "add", hunks: 0 },
      { path: "gone.txt", action: "delete", hunks: 1 },
      { path: "new name.txt", action: "move", from: "old name.txt", hunks: 1 },
      { path: "s.txt", action: "move", from: "r.txt", hunks: 0 },
      { path: "ä.txt", action: "update", hunks: 1 },
    ])
    expect(text.split("\n")).toEqual([
      ...["Applied the patch to 7 files", "update a.txt, 1 hunk", "add new/b.txt", "add empty", "delete gone.txt"],
      ...["move old name.txt -> new name.txt, 1 hunk", "move r.txt -> s.txt", "update ä.txt, 1 hunk"],
    ])
    expect(state()).toMatchObject({ files: [{ hunks: [{ oldStart: 1 }] }, {}, {}, {}, {}, {}, {}] })
    expect([await read("a.txt"), await read("new/b.txt"), await read("empty")]).toEqual(["1\ntwo\n3\n", "n\nm", ""])
    expect([await read("new name.txt"), await read("s.txt"), await read("ä.txt")]).toEqual(["a\nB\n", "same\n", "v\n"])
    expect(readdirSync(bench.workspace.path).sort()).toEqual([
      "a.txt",
      "empty",
      "new",
      "new name.txt",
      "s.txt",
      "ä.txt",
    ])
  })

  test("without prefixes, and with times behind the names", async () => {
    bench = await openBench({ "a/x.txt": "1\n", "y.txt": "1\n" })
    await run(
      "--- a/x.txt\t2024-01-01 00:00:00\n+++ a/x.txt\t2024-01-02\n@@ -1 +1 @@\n-1\n+2\n--- y.txt\n+++ y.txt\n@@ -1 +1 @@\n-1\n+3\n",
    )
    expect([await read("a/x.txt"), await read("y.txt")]).toEqual(["2\n", "3\n"])
  })

  test("removed lines that look like headers are lines", async () => {
    bench = await openBench({ "a.sql": "-- one\n++ two\nx\n", "b.txt": "b\n" })
    await run(
      "--- a/a.sql\n+++ b/a.sql\n@@ -1,3 +1,2 @@\n--- one\n-++ two\n+++ three\n x\n--- a/b.txt\n+++ b/b.txt\n@@ -1 +1 @@\n-b\n+c\n",
    )
    expect([await read("a.sql"), await read("b.txt")]).toEqual(["++ three\nx\n", "c\n"])
  })

  test("CRLF, UTF-16, a byte order mark and a missing final newline stay", async () => {
    const wide = Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from("eins\r\nzwei", "utf16le")])
    bench = await openBench({ "crlf.txt": "\ufeffa\r\nb\r\n", "wide.txt": wide })
    const patch =
      "--- a/crlf.txt\n+++ b/crlf.txt\n@@ -1,2 +1,3 @@\n \ufeffa\n+x\n b\n--- a/wide.txt\n+++ b/wide.txt\n@@ -1,2 +1,2 @@\n eins\n-zwei\n\\ No newline at end of file\n+größe\n\\ No newline at end of file\n"
    const error = await failure(run(patch))
    // The mark is no character of the first line.
    expect(error.message).toContain("hunk 1")
    await run(patch.replace("\ufeff", ""))
    expect(await read("crlf.txt")).toBe("\ufeffa\r\nx\r\nb\r\n")
    expect(Buffer.from((await bench.workspace.readBytes("wide.txt"))!)).toEqual(
      Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from("eins\r\ngröße", "utf16le")]),
    )
  })

  test("a mode that cannot be set is said, and the rest is done", async () => {
    bench = await openBench({})
    const { data } = await run(
      "diff --git a/x.sh b/x.sh\nnew file mode 100755\n--- /dev/null\n+++ b/x.sh\n@@ -0,0 +1 @@\n+true\n",
    )
    expect(data.files).toEqual([{ path: "x.sh", action: "add", hunks: 1, note: "its mode 100755 was not set" }])
  })

  test.each([
    ["a hunk without a file", "@@ -1 +1 @@\n-a\n+b\n", "invalid_args"],
    ["no patch at all", "hello", "invalid_args"],
    ["only blanks", " \n\n", "invalid_args"],
    ["two names", "--- a/x\n+++ b/y\n@@ -1 +1 @@\n-a\n+b\n", "invalid_args"],
    ["a miscounted hunk", "--- a/a\n+++ b/a\n@@ -1,2 +1,2 @@\n-a\n+b\n", "invalid_args"],
    ["no hunk", "--- a/a\n+++ b/a\n", "invalid_args"],
    ["nothing to nothing", "--- /dev/null\n+++ /dev/null\n@@ -1 +1 @@\n-a\n+b\n", "invalid_args"],
    ["a new file that keeps lines", "--- /dev/null\n+++ b/n\n@@ -1,1 +1,1 @@\n-a\n+b\n", "invalid_args"],
    [
      "one file twice",
      "--- a/a\n+++ b/a\n@@ -1 +1 @@\n-a\n+b\n--- a/./a\n+++ b/./a\n@@ -1 +1 @@\n-a\n+b\n",
      "invalid_args",
    ],
    ["a NUL in a name", "--- a/a\0b\n+++ b/a\0b\n@@ -1 +1 @@\n-a\n+b\n", "invalid_args"],
    ["half a rename", "diff --git a/a b/b\nrename from a\n", "invalid_args"],
    ["a binary file", "diff --git a/a b/a\nindex 1..2\nBinary files a/a and b/a differ\n", "unsupported"],
    ["a copy", "diff --git a/a b/b\nsimilarity index 100%\ncopy from a\ncopy to b\n", "unsupported"],
    ["a link", "diff --git a/l b/l\nnew file mode 120000\n--- /dev/null\n+++ b/l\n@@ -0,0 +1 @@\n+a\n", "unsupported"],
    ["a mode alone", "diff --git a/a b/a\nold mode 100644\nnew mode 100755\n", "unsupported"],
    ["an existing file as new", "--- /dev/null\n+++ b/a\n@@ -0,0 +1 @@\n+b\n", "conflict"],
    ["a deletion that leaves lines", "--- a/two\n+++ /dev/null\n@@ -1 +0,0 @@\n-1\n", "conflict"],
    ["a file that does not exist", "--- a/none\n+++ b/none\n@@ -1 +1 @@\n-a\n+b\n", "not_found"],
    ["a path outside", "--- ../x\n+++ ../x\n@@ -1 +1 @@\n-a\n+b\n", "denied"],
    ["a folder", "--- a/d\n+++ b/d\n@@ -1 +1 @@\n-a\n+b\n", "unsupported"],
  ])("with %s is refused and changes nothing", async (_, patch, code) => {
    bench = await openBench({ a: "a\n", two: "1\n2\n", "d/x": "" })
    expect((await failure(run(patch))).code).toBe(code)
    expect([await read("a"), await read("two")]).toEqual(["a\n", "1\n2\n"])
    expect(readdirSync(bench.workspace.path).sort()).toEqual(["a", "d", "two"])
  })
})
