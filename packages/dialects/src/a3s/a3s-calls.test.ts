import { afterEach, expect, test } from "vitest"
import { git } from "../../../tools/src/code/git/index.js"
import { edit } from "../../../tools/src/files/edit/index.js"
import { ls } from "../../../tools/src/files/ls.js"
import { patch } from "../../../tools/src/files/patch/index.js"
import { read } from "../../../tools/src/files/read/index.js"
import { write } from "../../../tools/src/files/write/index.js"
import { glob } from "../../../tools/src/search/glob/index.js"
import { grep } from "../../../tools/src/search/grep/index.js"
import { bash } from "../../../tools/src/shell/bash/index.js"
import { type GitBench, openGitBench } from "../../../tools/test/git-bench.js"
import type { ToolBench } from "../../../tools/test/tool-bench.js"
import { openBench } from "../../../tools/test/tool-bench.js"
import { output, speak } from "../../test/dialect-bench.js"
import { a3s } from "./a3s.js"

let bench: Pick<ToolBench, "run" | "close"> | undefined
afterEach(() => bench?.close())

const call = speak(a3s, [read, write, edit, patch, ls, glob, grep, bash, git], () => bench!)
const open = async (files: Readonly<Record<string, string | Uint8Array>> = {}) => {
  bench = await openBench(files)
}

test("read: six columns for the number, a tab, a trailer with the next offset, the range", async () => {
  await open({ "a.txt": "one\r\ntwo\nthree\n" })
  expect((await call("read", { file_path: "a.txt" })).value).toMatchObject({
    content: "     1\tone\n     2\ttwo\n     3\tthree\n",
    success: true,
    metadata: {
      file_path: "a.txt",
      source_anchors: ["a.txt"],
      range: { offset: 0, returned_lines: 3, next_offset: null, eof: true, total_lines: 3, limit_clamped: false },
    },
  })
  const part = await call("read", { file_path: "a.txt", offset: 1, limit: 1 })
  expect(part.text).toBe("     2\ttwo\n\n... (more lines available; continue with offset=2)\n")
  expect(part.value).toMatchObject({
    metadata: { range: { next_offset: 2, eof: false, output_bytes: part.text.length } },
  })
})

test("read: the end of the file is a note, beyond it is an error, a missing file too", async () => {
  await open({ "a.txt": "one\n" })
  expect((await call("read", { file_path: "a.txt", offset: 1 })).value).toMatchObject({
    content: "(end of file: offset 1 equals file length)\n",
    success: true,
  })
  expect((await call("read", { file_path: "a.txt", offset: 5 })).success).toBe(false)
  expect((await call("read", { file_path: "b.txt" })).value).toMatchObject({
    success: false,
    metadata: { error_kind: { type: "NotFound", path: "b.txt" } },
  })
})

test("write: bytes and lines are counted, parents are made", async () => {
  await open()
  expect((await call("write", { file_path: "d/a.txt", content: "é\nb" })).value).toEqual({
    content: "Wrote 4 bytes (2 lines) to d/a.txt",
    success: true,
    metadata: { file_path: "d/a.txt", created: true, after: "é\nb" },
  })
  expect((await call("write", { file_path: "d/a.txt", content: "" })).text).toBe("Wrote 0 bytes (0 lines) to d/a.txt")
})

test("edit: unique or all; none and several are errors that leave the file alone", async () => {
  await open({ "a.txt": "x y x\n" })
  const several = await call("edit", { file_path: "a.txt", old_string: "x", new_string: "z" })
  expect(several.value).toMatchObject({ success: false, metadata: { error_kind: { type: "InvalidArgument" } } })
  expect(several.text).toContain("2 times")
  expect((await call("edit", { file_path: "a.txt", old_string: "q", new_string: "z" })).success).toBe(false)
  expect((await call("edit", { file_path: "a.txt", old_string: "", new_string: "z" })).value).toMatchObject({
    metadata: { error_kind: { type: "InvalidArgument" } },
  })
  const all = await call("edit", { file_path: "a.txt", old_string: "x", new_string: "z", replace_all: true })
  expect(all.value).toMatchObject({
    content: "Replaced 2 occurrence(s) in a.txt",
    metadata: { file_path: "a.txt", replacement_count: 2, hunks: [{ lines: ["-x y x", "+z y z"] }] },
  })
  expect((await call("read", { file_path: "a.txt" })).text).toBe("     1\tz y z\n")
})

test("patch: one file, strictly", async () => {
  await open({ "a.txt": "one\ntwo\n" })
  const good = await call("patch", { file_path: "a.txt", diff: "@@ -1,2 +1,2 @@\n one\n-two\n+three\n" })
  expect(good.value).toMatchObject({ content: "Applied 1 hunk(s) to a.txt", metadata: { hunk_count: 1, added: 1 } })
  expect((await call("patch", { file_path: "a.txt", diff: "@@ -1,2 +1,2 @@\n one\n-two\n+x\n" })).success).toBe(false)
})

test("bash: exit code 0 is the only success", async () => {
  await open()
  expect((await call("bash", { command: "echo out; echo err >&2" })).value).toMatchObject({
    success: true,
    metadata: { exit_code: 0, isolation: { level: "namespaces" } },
  })
  const failing = await call("bash", { command: "echo out; echo err >&2; exit 3" })
  expect(failing.text.startsWith("out\n[stderr]\nerr\n[Exit code: 3]")).toBe(true)
  expect(failing.value).toMatchObject({ success: false, metadata: { exit_code: 3 } })
})

test("grep: lines as ripgrep prints them, the footer, a note when nothing matches, an error for a bad pattern", async () => {
  await open({ "a.rs": "fn main\nb\nfn x\n", "b.rs": "FN y\n" })
  const found = await call("grep", { pattern: "fn", glob: "*.rs" })
  expect(found.value).toMatchObject({
    content: "a.rs:1:fn main\na.rs:3:fn x\n2 match(es) in 1 file(s)",
    metadata: { search: { matching_lines: 2, matching_files: 1, truncated: false }, source_anchors: ["a.rs"] },
  })
  expect((await call("grep", { pattern: "fn", "-i": true })).text).toContain("3 match(es) in 2 file(s)")
  const around = await call("grep", { pattern: "main|x", context: 1 })
  expect(around.text).toBe("a.rs:1:fn main\na.rs-2-b\na.rs:3:fn x\n2 match(es) in 1 file(s)")
  const nothing = await call("grep", { pattern: "absent" })
  expect([nothing.success, nothing.text]).toEqual([true, "No matches found for pattern: absent"])
  expect((await call("grep", { pattern: "(" })).value).toMatchObject({
    success: false,
    metadata: { error_kind: { type: "InvalidArgument" } },
  })
})

test("glob and ls", async () => {
  await open({ "a.rs": "12345", "d/b.rs": "" })
  expect((await call("glob", { pattern: "**/*.rs" })).value).toEqual({
    content: "a.rs\nd/b.rs\n\n2 of 2 file(s) shown",
    success: true,
    metadata: { page: { returned_items: 2, total_items: 2, truncated: false } },
  })
  expect((await call("glob", { pattern: "*.py" })).text).toBe("No files found matching pattern: *.py")
  expect((await call("ls", {})).value).toEqual({
    content: "file           5  a.rs\ndir            -  d/",
    success: true,
    metadata: { path: ".", entry_count: 2, truncated: false },
  })
  expect((await call("ls", { path: "none" })).success).toBe(false)
})

test("git: the text of the command, its facts as metadata, outside of a repository an error", async () => {
  const repository: GitBench = await openGitBench({ "a.txt": "one\n" })
  bench = repository as never
  expect((await call("git", { command: "status" })).value).toMatchObject({
    success: true,
    metadata: { command: "status", branch: "main", is_worktree: false, dirty_count: 0, is_dirty: false },
  })
  expect((await call("git", { command: "branch", name: "feature-x" })).success).toBe(true)
  expect((await call("git", { command: "checkout", ref: "feature-x" })).success).toBe(true)
  expect((await call("git", { command: "checkout", name: "main" })).text).toContain("main")
  expect((await call("git", { command: "checkout", ref: "none" })).success).toBe(false)
})

test("box: a result says which image ran where the host has set another than the page promises", () => {
  const row = a3s.tools.find(({ name }) => name === "box")!
  const isolation = { level: "vm", image: "debian-12", os: "debian 12" }
  const data = { stdout: "hi\n", stderr: "", exit_code: 0, timed_out: false, isolation }
  const result = output(data, { content: [{ type: "text", text: "hi" }] })
  const content = (input: object) => (a3s.project(result, row, input).value as { content: string }).content
  expect(content({ command: "x" })).toBe("hi\n[Ran in the image debian-12 (debian 12), not in ubuntu-22.04]")
  expect(content({ command: "x", image: "debian-12" })).toBe("hi")
})
