import { readdir, readFile, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { catalog, toolsets } from "@haft/tools"
import { afterEach, beforeEach, expect, test } from "vitest"
import { type LibraryWorld, libraryWorld } from "./library-world.js"

let world: LibraryWorld

beforeEach(async () => {
  world = await libraryWorld({ "a.txt": "alpha\n", "sub/b.txt": "beta\n" })
})

afterEach(() => world.remove())

test("[C2-14] [C2-17] a session reaches what the host granted, not what the process could open", async () => {
  const narrow = await world.haft({
    guard: { grant: { fs: { read: ["{workspace}/sub/**"] } } },
    storage: { journal: false },
  })
  const session = await narrow.openSession()
  expect((await session.call("read", { file_path: "sub/b.txt" })).type).toBe("output")
  expect((await session.call("read", { file_path: "a.txt" })).metadata.error_code).toBe("denied")
})

test("[C2-15] a tool whose requirements exceed the grant fails closed, also when a person would say yes", async () => {
  const readOnly = await world.haft({
    guard: { grant: { fs: { read: ["{workspace}/**"] } } },
    mode: "accept-edits",
    storage: { journal: false },
  })
  const session = await readOnly.openSession()
  const envelope = await session.call("write", { file_path: "new.txt", content: "x" }, { answer: "once" })
  expect(envelope.metadata.error_code).toBe("denied")
  expect(await readdir(world.root)).toEqual(["a.txt", "sub"])
})

test("[C2-18] [C2-20] richer shapes have ids of their own outside the locked set", () => {
  const locked = toolsets.find(({ name }) => name === "locked")
  const ids = catalog.map(({ manifest }) => manifest.id)
  expect(locked?.tools).toEqual(expect.arrayContaining(["read", "write", "edit", "glob", "grep", "todo"]))
  for (const id of ["ls", "patch"]) {
    expect(ids).toContain(id)
    expect(locked?.tools).not.toContain(id)
  }
})

test("[C2-23] a listing is asked for by path: ls shows one directory and says whether it is complete", async () => {
  const session = await (await world.haft({ storage: { journal: false } })).openSession()
  const envelope = await session.call("ls", {})
  if (envelope.type !== "output") throw new Error(envelope.error_text)
  expect(envelope.data.entries.map(({ name }) => name)).toEqual(["a.txt", "sub"])
  expect(envelope.data.complete).toBe(true)
})

test("[C2-64] a path in an earlier result gives no right to read it", async () => {
  await writeFile(world.path("note.txt"), `see ${join(world.root, "..", "other", "secret.txt")}\n`)
  const session = await (await world.haft()).openSession()
  await session.call("read", { file_path: "note.txt" })
  const envelope = await session.call("read", { file_path: join(world.root, "..", "other", "secret.txt") })
  expect(envelope.metadata.error_code).toBe("denied")
})

test("[C2-66] the watchdog sees every call before it runs, with tool, arguments, manifest and session", async () => {
  const seen: unknown[] = []
  const detector = {
    id: "recorder",
    about: "test",
    inspect: (request: object) => {
      seen.push(request)
      return { verdict: "allow" } as const
    },
  }
  const session = await (
    await world.haft({ guard: { detectors: [detector] }, mode: "accept-edits", storage: { journal: false } })
  ).openSession()
  await session.call("read", { file_path: "a.txt" })
  await session.call("write", { file_path: "c.txt", content: "c" })
  await session.call("todo", { todos: [] })
  expect(seen).toMatchObject([
    { tool: "read", arguments: { file_path: "a.txt" }, manifest: { id: "read" }, sessionId: session.id },
    { tool: "write" },
    { tool: "todo" },
  ])
})

test("[C2-72] each layer holds alone: capability without rules, rules without watchdog, watchdog without either", async () => {
  const everything = [{ permission: "*", pattern: "**", action: "allow" }] as const
  const outside = join(world.root, "..", "outside.txt")
  await writeFile(outside, "outside")
  const byCapability = await (await world.haft({ rules: everything, storage: { journal: false } })).openSession()
  expect((await byCapability.call("read", { file_path: outside })).metadata.error_code).toBe("denied")
  const byRule = await (
    await world.haft({
      rules: [{ permission: "fs.read", pattern: "a.txt", action: "deny" }],
      storage: { journal: false },
    })
  ).openSession()
  expect((await byRule.call("read", { file_path: "a.txt" })).metadata.error_code).toBe("denied")
  const detector = { id: "no", about: "test", inspect: () => ({ verdict: "deny", reason: "no" }) as const }
  const byWatchdog = await (
    await world.haft({ rules: everything, guard: { detectors: [detector] }, storage: { journal: false } })
  ).openSession()
  expect((await byWatchdog.call("read", { file_path: "a.txt" })).metadata.error_code).toBe("denied")
})

test("[C2-182] a session has a scratch folder that tools may use without asking and that is removed with the session", async () => {
  const session = await (await world.haft()).openSession()
  const path = join(session.scratch, "draft.txt")
  expect((await session.call("write", { file_path: path, content: "draft" })).type).toBe("output")
  expect(await readFile(path, "utf8")).toBe("draft")
  expect((await session.call("read", { file_path: path })).type).toBe("output")
  await session.close()
  await expect(readFile(path)).rejects.toThrow()
})

test("[C2-183] the scratch folder is bounded, so that nothing fills the disk through it", async () => {
  const session = await (await world.haft({ storage: { journal: false } })).openSession()
  await session.call("write", { file_path: join(session.scratch, "first"), content: "x" })
  await writeFile(join(session.scratch, "first"), Buffer.alloc(99 * 1024 * 1024, 1))
  const file_path = join(session.scratch, "second")
  const envelope = await session.call("write", { file_path, content: "y".repeat(2 * 1024 * 1024) })
  expect(envelope.metadata.error_code).toBe("too_large")
  expect((await session.call("write", { file_path, content: "y" })).type).toBe("output")
})

test("[C2-184] an image is an attachment of read, never text in its data", async () => {
  const { default: sharp } = await import("sharp")
  const png = await sharp({ create: { width: 4, height: 4, channels: 3, background: "red" } })
    .png()
    .toBuffer()
  await writeFile(world.path("dot.png"), png)
  const session = await (await world.haft({ storage: { journal: false } })).openSession()
  const { envelope, attachments } = await session.result("read", { file_path: "dot.png" })
  expect(envelope).toMatchObject({ type: "output", data: { content: "", media_type: "image/png" } })
  expect(attachments).toHaveLength(1)
})

test("[C2-189] an argument that the other arguments leave without a meaning is refused, not ignored", async () => {
  await writeFile(world.path("book.ipynb"), JSON.stringify({ cells: [], metadata: {}, nbformat: 4, nbformat_minor: 5 }))
  await writeFile(world.path("page.txt"), "one\n")
  const session = await (await world.haft({ toolset: "all", storage: { journal: false } })).openSession()
  for (const [tool, input] of [
    ["read", { file_path: "page.txt", offset: 1, byte_offset: 0 }],
    ["read", { file_path: "page.txt", limit: 1, byte_limit: 10 }],
    ["git", { command: "status", message: "x" }],
    ["todo", { todos: [], note: "x" }],
  ] as const) {
    const { metadata } = await session.call(tool, input as never, { answer: "once" })
    expect([tool, input, metadata.error_code]).toEqual([tool, input, "invalid_args"])
  }
})

test("[C2-190] [C2-191] no tool takes roots, credentials or a model as an argument, and only few arguments are required", () => {
  for (const { manifest } of catalog) {
    const keys = Object.keys(manifest.input.shape)
    expect(keys.filter((key) => /root|token|secret|password|credential|model|provider/i.test(key))).toEqual([])
    const required = keys.filter(
      (key) => !(manifest.input.shape as Record<string, { isOptional(): boolean }>)[key]!.isOptional(),
    )
    expect(required.length).toBeLessThanOrEqual(3)
  }
})
