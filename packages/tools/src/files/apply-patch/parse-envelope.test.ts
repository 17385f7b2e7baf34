import { chmodSync, readdirSync, statSync } from "node:fs"
import { join } from "node:path"
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
const at = (path: string) => join(bench.workspace.path, path)
const envelope = (...lines: string[]) => ["*** Begin Patch", ...lines, "*** End Patch", ""].join("\n")

describe("the Begin Patch form", () => {
  const source = "class A:\n  def run(self):\n    return 1\n\nclass B:\n  def run(self):\n    return 1\n"

  test("finds its place by lines, with an @@ line where they occur twice", async () => {
    bench = await openBench({ "a.py": source })
    const lines = ["     return 1", "+    # done"]
    const error = await failure(run(envelope("*** Update File: a.py", "@@", ...lines)))
    expect([error.code, error.message]).toEqual(["conflict", expect.stringContaining("occur 2 times, at lines 3, 7")])
    await run(envelope("*** Update File: a.py", "@@ class B:", ...lines))
    expect(await read("a.py")).toBe(`${source}    # done\n`)
    await run(envelope("*** Update File: a.py", "@@ class A:", "@@ def run(self):", "-    return 1", "+    return 2"))
    expect(await read("a.py")).toBe(`${source.replace("return 1", "return 2")}    # done\n`)
  })

  test("several hunks in the order of the file; out of order is a conflict that says so", async () => {
    bench = await openBench({ a: "1\n2\n3\n4\n5\n" })
    const error = await failure(run(envelope("*** Update File: a", "@@", "-4", "+vier", "@@", "-2", "+zwei")))
    expect([error.code, error.message]).toEqual(["conflict", expect.stringContaining("only at line 2")])
    await run(envelope("*** Update File: a", " 1", "-2", "+zwei", "@@ 3", "-4", "+vier", "+viereinhalb"))
    expect(await read("a")).toBe("1\nzwei\n3\nvier\nviereinhalb\n5\n")
  })

  test("a miss shows the nearest lines with their numbers", async () => {
    bench = await openBench({ "a.ts": "one\nexport function load(path: string) {\n  return path\n}\n" })
    const error = await failure(
      run(envelope("*** Update File: a.ts", "@@", " export function load(path) {", "-  return path", "+  return 1")),
    )
    expect(error.code).toBe("conflict")
    expect(error.message).toContain("hunk 1 (line 3 of the patch) has no place")
    expect(error.message).toContain("nearest text is at lines 2 to 3")
    expect(error.details).toMatchObject({ path: "a.ts", hunk: 1, nearest: { start_line: 2, end_line: 3 } })
  })

  test("the end of the file", async () => {
    bench = await openBench({ a: "x\ny\nx\ny\n", open: "x\ny", crlf: "x\r\ny", empty: "" })
    await run(envelope("*** Update File: a", "@@", " x", "-y", "+z", "*** End of File"))
    expect(await read("a")).toBe("x\ny\nx\nz\n")
    await run(envelope("*** Update File: a", "+last", "*** End of File"))
    expect(await read("a")).toBe("x\ny\nx\nz\nlast\n")
    expect((await failure(run(envelope("*** Update File: a", " x", "-y", "+q", "*** End of File")))).message).toContain(
      "not at the end",
    )
    await run(
      envelope(
        "*** Update File: open",
        "-y",
        "+z",
        "*** Update File: crlf",
        "+new",
        "*** End of File",
        "*** Update File: empty",
        "+1",
        "*** End of File",
      ),
    )
    expect([await read("open"), await read("crlf"), await read("empty")]).toEqual(["x\nz", "x\r\ny\r\nnew", "1\n"])
    await run(envelope("*** Update File: open", " z", "+a", "+b", "*** Update File: crlf", " x", "+m", " y"))
    expect([await read("open"), await read("crlf")]).toEqual(["x\nz\na\nb", "x\r\nm\r\ny\r\nnew"])
    await run(envelope("*** Update File: open", " a", "-b"))
    expect(await read("open")).toBe("x\nz\na\n")
  })

  test("added, deleted and moved files; a file keeps its mode on the way", async () => {
    bench = await openBench({ "run.sh": "#!/bin/sh\ntrue\n", gone: "x", same: "s\n" })
    chmodSync(at("run.sh"), 0o755)
    const { data } = await run(
      envelope(
        ...["*** Add File: new/a.txt", "+one", "+", "+*** End Patch", "", "*** Delete File: gone"],
        ...["*** Update File: run.sh", "*** Move to: bin/run.sh", "@@ -1,2 +1,2 @@", "-true", "+false"],
        ...["*** Update File: same", "*** Move to: other"],
      ),
    )
    expect(
      data.files.map(({ path, action, hunks }: { path: string; action: string; hunks: number }) => [
        path,
        action,
        hunks,
      ]),
    ).toEqual([
      ["new/a.txt", "add", 1],
      ["gone", "delete", 0],
      ["bin/run.sh", "move", 1],
      ["other", "move", 0],
    ])
    expect(await read("new/a.txt")).toBe("one\n\n*** End Patch\n")
    expect(await read("bin/run.sh")).toBe("#!/bin/sh\nfalse\n")
    expect(statSync(at("bin/run.sh")).mode & 0o777).toBe(0o755)
    expect(readdirSync(bench.workspace.path).sort()).toEqual(["bin", "new", "other"])
  })

  test("a patch that was carried in CRLF changes an LF file to LF", async () => {
    bench = await openBench({ a: "1\n2\n" })
    await run(envelope("*** Update File: a", " 1", "-2", "+3").replaceAll("\n", "\r\n"))
    expect(await read("a")).toBe("1\n3\n")
  })

  test.each([
    ["no end", "*** Begin Patch\n*** Delete File: a\n"],
    ["no file", envelope()],
    ["words between", envelope("hello", "*** Delete File: a")],
    ["lines without a sign in a new file", envelope("*** Add File: b", "text")],
    ["lines in a deleted file", envelope("*** Delete File: a", "-a")],
    ["an update without change", envelope("*** Update File: a")],
    ["a hunk that only repeats", envelope("*** Update File: a", " a")],
    ["a hunk without a place", envelope("*** Update File: a", "@@", "+b")],
    ["a line without a sign", envelope("*** Update File: a", "?b")],
    ["an empty name", envelope("*** Delete File: ")],
    ["one file twice", envelope("*** Delete File: a", "*** Update File: ./a", "-a", "+b")],
    ["a move to its own place", envelope("*** Update File: a", "*** Move to: a", "-a", "+b")],
  ])("with %s is invalid, names nothing, and changes nothing", async (_, patch) => {
    bench = await openBench({ a: "a\n" })
    expect(applyPatch.manifest.effects({ patch })).toEqual([])
    expect((await failure(run(patch))).code).toBe("invalid_args")
    expect(await read("a")).toBe("a\n")
  })
})
