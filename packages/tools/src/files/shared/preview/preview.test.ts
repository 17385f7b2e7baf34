import { readdirSync, readFileSync, statSync, symlinkSync, truncateSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import type { AskPreview, Example, FilePreview, Hunk, ToolDefinition } from "@haft/contract"
import { openGrant, type TemporaryWorkspace, temporaryWorkspace } from "@haft/testkit"
import fc from "fast-check"
import { afterEach, expect, test } from "vitest"
import { dialectTools } from "../../../../../dialects/src/catalog.js"
import { openPorts } from "../../../../test/tool-bench.js"
import { catalog } from "../../../catalog.js"
import { notebookEdit } from "../../../notebook/notebook-edit/index.js"
import { applyPatch } from "../../apply-patch/index.js"
import { edit } from "../../edit/index.js"
import { move } from "../../move/index.js"
import { write } from "../../write/index.js"
import { encodeText } from "../text/index.js"
import { lineDiff } from "./line-diff.js"

let workspace: TemporaryWorkspace
afterEach(() => workspace?.remove())

async function previewOf(tool: ToolDefinition, input: object, admits = openGrant.admits): Promise<AskPreview> {
  const { ports, close } = await openPorts(workspace)
  try {
    const { signal } = new AbortController()
    const scope = { callId: "", sessionId: "", signal, deadlineMs: 0, observe: () => undefined }
    const files = ports.filesToShow({ ...scope, grant: { ...openGrant, admits } })
    const [{ preview }, { execute }] = [await tool.preview!(), await tool.execute()]
    const parsed = tool.manifest.input.parse(input) as Record<string, unknown>
    return await preview(execute as never, parsed, { files, signal, limit: tool.manifest.limit.max })
  } finally {
    await close()
  }
}

/** Every file below a folder with its content. */
function contentOf(folder: string): Record<string, string> {
  const names = readdirSync(folder, { recursive: true, encoding: "utf8" })
  const files = names.filter((name) => statSync(join(folder, name), { throwIfNoEntry: false })?.isFile())
  return Object.fromEntries(files.map((name) => [name, readFileSync(join(folder, name), "utf8")]))
}

/** Applies hunks by the letter of the format, independent of the code that made them. */
function applied(before: string, hunks: readonly Hunk[]): string {
  const old = before.split(/(?<=\n)/)
  const next: string[] = []
  let at = 0
  for (const { oldStart, oldLines, lines } of hunks) {
    const first = oldLines === 0 ? oldStart : oldStart - 1
    next.push(...old.slice(at, first))
    at = first
    for (const [index, line] of lines.entries()) {
      if (line.startsWith("\\")) continue
      const text = line.slice(1) + (lines[index + 1]?.startsWith("\\") ? "" : "\n")
      if (!line.startsWith("+")) {
        expect(old[at]).toBe(text)
        at += 1
      }
      if (!line.startsWith("-")) next.push(text)
    }
  }
  return [...next, ...old.slice(at)].join("")
}

/** What the files would hold after what a preview says. */
function foretold(before: Readonly<Record<string, string>>, files: readonly FilePreview[]): Record<string, string> {
  const after = { ...before }
  for (const { path, to, action, hunks } of files) {
    const inside = Object.keys(after).filter((name) => name.startsWith(`${path}/`))
    for (const name of inside) {
      after[to + name.slice(path.length)] = after[name]!
      delete after[name]
    }
    if (inside.length > 0) continue
    const text = applied(after[path] ?? "", hunks)
    delete after[path]
    if (action !== "delete") after[to ?? path] = text
  }
  return after
}

const previewed = [...catalog, ...dialectTools].filter((tool) => (tool as ToolDefinition).preview) as ToolDefinition[]

test("every tool that writes files in the workspace and does nothing else has a preview", () => {
  const writes = ([...catalog, ...dialectTools] as ToolDefinition[]).filter(
    ({ manifest: { requires } }) => requires.fs?.write && !requires.shell && !requires.net && !requires.capabilities,
  )
  expect(previewed.map(({ manifest }) => manifest.id)).toEqual(writes.map(({ manifest }) => manifest.id))
  expect(previewed.length).toBeGreaterThanOrEqual(10)
})

test("a preview changes nothing and foretells what each example of each tool does", async () => {
  let compared = 0
  for (const tool of previewed) {
    const { examples } = await tool.examples()
    for (const example of examples as readonly Example[]) {
      workspace = await temporaryWorkspace(example.files ?? {})
      const before = contentOf(workspace.path)
      const { files, problem } = await previewOf(tool, example.input as object)
      expect(contentOf(workspace.path)).toEqual(before)
      if (example.fails !== undefined) expect([tool.manifest.id, typeof problem]).toEqual([tool.manifest.id, "string"])
      else {
        const after = foretold(before, files!)
        for (const [path, text] of Object.entries(example.after ?? {})) {
          expect([tool.manifest.id, path, after[path] ?? null]).toEqual([tool.manifest.id, path, text])
          compared += 1
        }
      }
      await workspace.remove()
    }
  }
  expect(compared).toBeGreaterThan(20)
})

const line = fc.constantFrom(
  "alpha",
  "beta",
  "",
  "}",
  "  return x",
  "-- dash",
  "++ plus",
  "größe",
  "日本",
  "\r",
  "\\ No",
)
const texts = fc
  .tuple(fc.array(line, { maxLength: 60 }), fc.boolean())
  .map(([lines, isOpen]) => lines.join("\n") + (isOpen ? "" : "\n"))

test("the hunks of two random texts make one of the other", async () => {
  let withHunks = 0
  await fc.assert(
    fc.asyncProperty(texts, texts, fc.nat(40), async (before, other, keep) => {
      // Half the samples differ in a part only, as edits do.
      const after = keep < 20 ? other : before.slice(0, keep) + other.slice(0, keep) + before.slice(keep + 3)
      const { hunks, added, removed } = await lineDiff(before, after)
      expect(applied(before, hunks)).toBe(after)
      expect(hunks.flatMap(({ lines }) => lines.filter((text) => text.startsWith("+")))).toHaveLength(added)
      expect(hunks.flatMap(({ lines }) => lines.filter((text) => text.startsWith("-")))).toHaveLength(removed)
      for (const { oldLines, newLines, lines } of hunks) {
        const count = (sign: string) => lines.filter((text) => text.startsWith(sign)).length
        expect([oldLines, newLines]).toEqual([count(" ") + count("-"), count(" ") + count("+")])
      }
      if (hunks.length > 0) withHunks += 1
    }),
    { numRuns: 400 },
  )
  expect(withHunks).toBeGreaterThan(200)
})

test("texts that differ in everything are shown as gone and come, in bounded time", async () => {
  const before = Array.from({ length: 20_000 }, (_, index) => `old ${index}\n`).join("")
  const after = Array.from({ length: 20_000 }, (_, index) => `new ${index * 7}\n`).join("")
  const started = performance.now()
  const { hunks, added, removed } = await lineDiff(before, after)
  expect(performance.now() - started).toBeLessThan(3_000)
  expect([hunks.length, added, removed]).toEqual([1, 20_000, 20_000])
  expect(applied(before, hunks)).toBe(after)
})

test("write shows what is lost", async () => {
  workspace = await temporaryWorkspace({ "a.txt": "one\ntwo\nthree\n" })
  expect((await previewOf(write, { file_path: "a.txt", content: "one\n2\n" })).files).toEqual([
    {
      ...{ path: "a.txt", action: "replace", bytesBefore: 14, bytesAfter: 6, added: 1, removed: 2 },
      hunks: [{ oldStart: 1, oldLines: 3, newStart: 1, newLines: 2, lines: [" one", "-two", "-three", "+2"] }],
    },
  ])
  expect((await previewOf(write, { file_path: "new/b.txt", content: "x\n" })).files).toEqual([
    {
      ...{ path: "new/b.txt", action: "create", bytesAfter: 2, added: 1, removed: 0 },
      hunks: [{ oldStart: 0, oldLines: 0, newStart: 1, newLines: 1, lines: ["+x"] }],
    },
  ])
})

test("binary, unchanged, re-encoded, denied and huge files are described", async () => {
  workspace = await temporaryWorkspace({
    "data.bin": new Uint8Array([0, 1, 2, 0, 0, 0, 255]),
    "same.txt": "same\n",
    "wide.txt": await encodeText("\ufeffgröße\n", "utf-16le"),
    "secret.txt": "KEY=5ecret\n",
  })
  writeFileSync(join(workspace.path, "huge.txt"), "")
  truncateSync(join(workspace.path, "huge.txt"), 8e9)
  const noteOf = async (file_path: string, content: string, admits = openGrant.admits) => {
    const { files, problem } = await previewOf(write, { file_path, content }, admits)
    const [{ note, bytesBefore, bytesAfter, hunks, action }] = files as [FilePreview]
    expect([problem, hunks]).toEqual([undefined, []])
    return { note, bytesBefore, bytesAfter, action }
  }
  expect(await noteOf("data.bin", "x")).toEqual({ ...{ note: "binary", bytesBefore: 7 }, ...replaced(1) })
  expect(await noteOf("same.txt", "same\n")).toEqual({ ...{ note: "nothing changes", bytesBefore: 5 }, ...replaced(5) })
  const encoding = "only the encoding changes, from utf-16le to utf-8"
  expect(await noteOf("wide.txt", "größe\n")).toEqual({ ...{ note: encoding, bytesBefore: 14 }, ...replaced(8) })
  const denied = "what it holds is not shown: a rule denies reading it"
  expect(await noteOf("secret.txt", "x", () => false)).toEqual({
    ...{ note: denied, bytesBefore: undefined, ...replaced(1) },
  })
  const started = performance.now()
  expect(await noteOf("huge.txt", "x")).toEqual({
    ...{ note: "too large to compare", bytesBefore: 8e9 },
    ...replaced(1),
  })
  expect(performance.now() - started).toBeLessThan(2_000)

  function replaced(bytesAfter: number) {
    return { bytesAfter, action: "replace" }
  }
})

test("a patch that moves, changes, adds and deletes is shown file by file; a link that goes is no file that goes", async () => {
  workspace = await temporaryWorkspace({ "a.txt": "one\ntwo\n", "gone.txt": "bye\n", "target.txt": "stays\n" })
  symlinkSync("target.txt", join(workspace.path, "link.txt"))
  const patch = [
    ...["*** Begin Patch", "*** Update File: a.txt", "*** Move to: b/c.txt", "@@", " one", "-two", "+2"],
    ...["*** Delete File: gone.txt", "*** Delete File: link.txt", "*** Add File: new.txt", "+new", "*** End Patch"],
  ].join("\n")
  const { files } = await previewOf(applyPatch, { patch })
  const shown = files!.map(({ path, to, action, hunks, note }) => [action, path, to, note, hunks[0]?.lines])
  expect(shown).toEqual([
    ["move", "a.txt", "b/c.txt", undefined, [" one", "-two", "+2"]],
    ["create", "new.txt", undefined, undefined, ["+new"]],
    ["delete", "gone.txt", undefined, undefined, ["-bye"]],
    ["delete", "link.txt", undefined, "a link; what it leads to stays", undefined],
  ])
})

test("a move shows both names, of folders too", async () => {
  workspace = await temporaryWorkspace({ "a.txt": "one\n", "folder/x": "x" })
  const moves = [
    { from: "a.txt", to: "b.txt" },
    { from: "folder", to: "other" },
  ]
  expect((await previewOf(move, { moves })).files).toEqual([
    { path: "a.txt", to: "b.txt", action: "move", bytesBefore: 4, bytesAfter: 4, added: 0, removed: 0, hunks: [] },
    { path: "folder", to: "other", action: "move", added: 0, removed: 0, hunks: [] },
  ])
})

test("what would fail says why, and nothing is promised", async () => {
  workspace = await temporaryWorkspace({ "a.txt": "one\n", "n.ipynb": "no notebook" })
  const { files, problem } = await previewOf(edit, { file_path: "a.txt", old_string: "two", new_string: "2" })
  expect([files, problem]).toEqual([undefined, expect.stringContaining("old_string does not occur")])
  const notebook = { notebook_path: "n.ipynb", cell_id: "x", new_source: "1" }
  expect((await previewOf(notebookEdit, notebook)).problem).toContain("n.ipynb")
})

test("a preview of very much is bounded and says how much is left out", async () => {
  const many = Array.from({ length: 5_000 }, (_, index) => `line ${index}\n`).join("")
  workspace = await temporaryWorkspace()
  const [file] = (await previewOf(write, { file_path: "a.txt", content: `${"x".repeat(100_000)}\n${many}` })).files!
  expect(file).toMatchObject({ added: 5_001, linesLeftOut: 3_001 })
  expect(file!.hunks[0]!.lines[0]).toBe(`+${"x".repeat(999)}… 99001 more characters`)
  expect(JSON.stringify(file).length).toBeLessThan(60_000)
})
