import { mkdir, mkdtemp, readFile, realpath, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { openSessionPorts } from "@haft/host"
import { openGrant } from "@haft/testkit"
import { afterEach, beforeEach, expect, test } from "vitest"
import { withEditorBuffers } from "./editor-buffers.js"

let folder: string
beforeEach(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), "haft-buffers-")))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

const call = {
  callId: "call_1",
  sessionId: "ses_1",
  signal: new AbortController().signal,
  deadlineMs: Number.POSITIVE_INFINITY,
  grant: openGrant,
  observe: () => undefined,
}

async function open(buffers: Readonly<Record<string, string>>) {
  const ports = await openSessionPorts({
    ...{ roots: [folder], directory: folder },
    ...{ sessionFolder: join(folder, "../state/s"), historyFolder: join(folder, "../state/h") },
  })
  const written: [string, string][] = []
  const editor = {
    read: async (path: string) => buffers[path.slice(folder.length + 1)],
    written: async (path: string, text: string) => void written.push([path, text]),
  }
  const wrapped = withEditorBuffers(ports, editor)
  return { files: wrapped.files(call), ports: wrapped, written }
}

const maxBytes = 1_000_000

test("a buffer with the same text is no change, whatever its line breaks and byte order mark", async () => {
  await writeFile(join(folder, "a.txt"), "\ufeffone\r\ntwo\r\n")
  const { files, ports } = await open({ "a.txt": "one\ntwo\n" })
  const { bytes, hash } = await files.readAll("a.txt", { maxBytes })
  expect(Buffer.from(bytes).toString()).toBe("\ufeffone\r\ntwo\r\n")
  expect(await ports.contentHash("a.txt")).toBe(hash)
  await ports.close()
})

test("unsaved text is read with the file's own line breaks, by lines too, and its hash is that of what was shown", async () => {
  await writeFile(join(folder, "a.txt"), "one\r\ntwo\r\n")
  const { files, ports } = await open({ "a.txt": "one\n2\nthree\n" })
  const { bytes, hash } = await files.readAll("a.txt", { maxBytes })
  expect(Buffer.from(bytes).toString()).toBe("one\r\n2\r\nthree\r\n")
  expect(await ports.contentHash("a.txt")).toBe(hash)
  const opened = await files.open("a.txt")
  const { bytes: lines, eof } = await opened.lines({ startLine: 1, maxLines: 1, maxBytes, unit: "byte" })
  expect([Buffer.from(lines).toString(), eof]).toEqual(["2\r\n", false])
  await ports.close()
})

const todo = { pattern: "TODO", contextLines: 0, ignoreCase: false, maxMatches: 100, timeoutMs: 5_000 }

test("a search says of which files it has not seen the unsaved text: those it found, and those known before", async () => {
  for (const name of ["a.txt", "b.txt", "c.txt"]) await writeFile(join(folder, name), "TODO saved\n")
  await mkdir(join(folder, "sub"))
  await writeFile(join(folder, "sub/d.txt"), "nothing\n")
  const { files, ports } = await open({ "a.txt": "typed", "b.txt": "TODO saved\n", "sub/d.txt": "TODO typed\n" })
  const search = ports.search(call)
  expect((await search.grep(todo)).skipped.unsaved).toEqual(["a.txt"])
  await files.readAll("sub/d.txt", { maxBytes })
  expect((await search.grep(todo)).skipped.unsaved).toEqual(["a.txt", "sub/d.txt"])
  expect((await search.grep({ ...todo, path: "sub" })).skipped.unsaved).toEqual(["sub/d.txt"])
  expect((await search.grep({ ...todo, path: "b.txt" })).skipped).not.toHaveProperty("unsaved")
  await ports.close()
})

test("a file in another encoding is what it is on disk", async () => {
  await writeFile(join(folder, "a.txt"), Buffer.from([0x63, 0x61, 0x66, 0xe9]))
  const { files, ports } = await open({ "a.txt": "café and more" })
  expect(Buffer.from((await files.readAll("a.txt", { maxBytes })).bytes)).toEqual(Buffer.from([0x63, 0x61, 0x66, 0xe9]))
  await ports.close()
})

test("a write over unsaved text needs that text to have been read, and tells the editor; without unsaved text it does not", async () => {
  await writeFile(join(folder, "a.txt"), "saved")
  await writeFile(join(folder, "b.txt"), "same")
  const { files, ports, written } = await open({ "a.txt": "typed", "b.txt": "same" })
  const bytes = Buffer.from("mine")
  await expect(files.write("a.txt", bytes)).rejects.toMatchObject({ code: "conflict" })
  expect(await readFile(join(folder, "a.txt"), "utf8")).toBe("saved")
  await files.readAll("a.txt", { maxBytes })
  await files.write("a.txt", bytes)
  await files.write("b.txt", bytes)
  expect(await readFile(join(folder, "a.txt"), "utf8")).toBe("mine")
  expect(written).toEqual([[join(folder, "a.txt"), "mine"]])
  await ports.close()
})
