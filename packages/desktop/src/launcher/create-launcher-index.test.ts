import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import type { CallScope, Grant } from "@haft/contract"
import { afterEach, beforeEach, expect, test } from "vitest"
import { createLauncherIndex, type LauncherIndexOptions, type SessionLauncherIndex } from "./create-launcher-index.js"

const dayMs = 24 * 60 * 60 * 1000
let folder: string
let opened: SessionLauncherIndex[]
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "haft-launcher-"))
  opened = []
  await mkdir(join(folder, "work"))
})
afterEach(async () => {
  for (const index of opened) await index.close()
  await rm(folder, { recursive: true, force: true })
})

async function put(path: string, content = ""): Promise<void> {
  await mkdir(dirname(join(folder, path)), { recursive: true })
  await writeFile(join(folder, path), content)
}

function open(options: Partial<LauncherIndexOptions> = {}): SessionLauncherIndex {
  const index = createLauncherIndex({
    databaseFile: join(folder, "usage.json"),
    applicationFolders: [join(folder, "applications")],
    roots: [join(folder, "work")],
    commands: [],
    tools: [],
    skills: async () => [],
    ...options,
  })
  opened.push(index)
  return index
}

function scope(admits: Grant["admits"] = () => true): CallScope {
  const signal = new AbortController().signal
  return {
    callId: "c",
    sessionId: "s",
    signal,
    deadlineMs: 0,
    grant: { admits, mayKeep: () => true },
    observe: () => {},
  }
}

async function ids(index: SessionLauncherIndex, query: string, limit = 10, admits?: Grant["admits"]) {
  const call = scope(admits)
  const { hits, denied } = await index.index(call).search(query, { limit, signal: call.signal })
  return { ids: hits.map(({ id }) => id), denied }
}

test("it knows applications, commands, tools, skills and files, each by its own form of id", async () => {
  await put("applications/demo.desktop", "[Desktop Entry]\nType=Application\nName=Demo Application\n")
  await put("work/src/demo.ts")
  const index = open({
    commands: [{ id: "demo", name: "Demo command" }],
    tools: [{ id: "demo_tool", name: "Demonstrate" }],
    skills: async () => [{ name: "demo-skill", description: "Shows" }],
  })
  const call = scope()
  const { hits } = await index.index(call).search("demo", { limit: 10, signal: call.signal })
  expect(hits.map(({ id, name, type }) => `${type} ${id} ${name}`).sort()).toEqual([
    "application app_demo Demo Application",
    "command cmd_demo Demo command",
    "file file_src/demo.ts demo.ts",
    "skill skill_demo-skill demo-skill",
    "tool tool_demo_tool Demonstrate",
  ])
  expect(hits.every(({ score }) => score > 0 && score <= 1)).toBe(true)
})

test("a command is not found by its prefix, and everything is found by nothing", async () => {
  const index = open({ commands: [{ id: "a", name: "Alpha" }], tools: [{ id: "b", name: "Beta" }] })
  expect((await ids(index, "cmd_")).ids).toEqual([])
  expect((await ids(index, "  ")).ids).toEqual(["cmd_a", "tool_b"])
})

test("three uses of today come before twenty of two months ago; uses are shared and stored", async () => {
  let now = 0
  const tools = [
    { id: "one", name: "same one" },
    { id: "two", name: "same two" },
  ]
  const before = open({ tools, now: () => now })
  for (let use = 0; use < 20; use++) before.recordUse("tool_one")
  now = 60 * dayMs
  for (let use = 0; use < 3; use++) await before.index(scope()).recordUse("tool_two")
  expect((await ids(before, "")).ids).toEqual(["tool_two", "tool_one"])
  expect((await ids(before, "same")).ids).toEqual(["tool_two", "tool_one"])
  await before.close()

  const after = open({ tools, now: () => now })
  const call = scope()
  const { hits } = await after.index(call).search("", { limit: 2, signal: call.signal })
  expect(hits[0]).toMatchObject({ id: "tool_two", score: 3 })
  expect(hits[1]!.score).toBeCloseTo(20 * Math.exp(-6), 10)
})

test("searching counts no use", async () => {
  const index = open({ tools: [{ id: "one", name: "one" }] })
  await ids(index, "one")
  const call = scope()
  expect((await index.index(call).search("", { limit: 1, signal: call.signal })).hits[0]!.score).toBe(0)
})

test("a limit of 0 gives nothing; one that is negative or no whole number is refused", async () => {
  const index = open({ tools: [{ id: "one", name: "one" }] })
  expect((await ids(index, "one", 0)).ids).toEqual([])
  for (const limit of [-1, 1.5, Number.NaN]) {
    await expect(ids(index, "one", limit)).rejects.toMatchObject({ code: "invalid_args" })
  }
})

test("there is no cap but the limit", async () => {
  const tools = Array.from({ length: 1_500 }, (_, index) => ({ id: `t${index}`, name: `tool ${index}` }))
  const index = open({ tools })
  expect((await ids(index, "tool", 1_200)).ids).toHaveLength(1_200)
  expect((await ids(index, "tool", 5_000)).ids).toHaveLength(1_500)
})

test("a file that the grant refuses is never shown, only counted, and leaves its place to the next", async () => {
  for (let index = 0; index < 40; index++) await put(`work/secret/key${String(index).padStart(2, "0")}.txt`)
  await put("work/open/key99.txt")
  const judged: string[] = []
  const admits = (kind: string, path: string) => {
    expect(kind).toBe("fs.read")
    judged.push(path)
    return !path.includes("/secret/")
  }
  expect(await ids(open(), "key", 1, admits)).toEqual({ ids: ["file_open/key99.txt"], denied: 40 })
  expect(new Set(judged).size).toBe(judged.length)
})

test("only what would be shown is judged", async () => {
  for (let index = 0; index < 40; index++) await put(`work/key${index}.txt`)
  const judged: string[] = []
  await ids(open(), "key", 3, (_kind, path) => judged.push(path) > 0)
  expect(judged).toHaveLength(3)
})

test("ignored files, installed packages, version control and links out are not known", async () => {
  await put("work/.gitignore", "dist/\n")
  await put("work/dist/target-file.js")
  await put("work/node_modules/left/target-file.js")
  await put("work/.git/target-file")
  await put("outside/target-file.md")
  await put("work/kept/target-file.ts")
  await symlink(join(folder, "outside"), join(folder, "work", "link"))
  await symlink(join(folder, "outside", "target-file.md"), join(folder, "work", "target-file.md"))
  expect((await ids(open(), "target-file")).ids).toEqual(["file_kept/target-file.ts"])
})

test("files of further roots are shown by their whole path", async () => {
  await put("work/a.txt")
  await put("more/a.txt")
  const index = open({ roots: [join(folder, "work"), join(folder, "more"), join(folder, "missing")] })
  expect((await ids(index, "a.txt")).ids.sort()).toEqual([`file_${join(folder, "more", "a.txt")}`, "file_a.txt"].sort())
})

test("new files and applications are found while the session goes on, and old ones forgotten", async () => {
  await put("work/first-thing.txt")
  const index = open()
  expect((await ids(index, "thing")).ids).toEqual(["file_first-thing.txt"])
  await put("work/second-thing.txt")
  await put("applications/t.desktop", "[Desktop Entry]\nType=Application\nName=Third thing\n")
  await rm(join(folder, "work/first-thing.txt"))
  await expect
    .poll(async () => (await ids(index, "thing")).ids.sort(), { timeout: 60_000, interval: 200 })
    .toEqual(["app_t", "file_second-thing.txt"])
}, 90_000)

test("a skill folder that cannot be read hides nothing else", async () => {
  const index = open({ tools: [{ id: "one", name: "one" }], skills: () => Promise.reject(new Error("broken")) })
  expect((await ids(index, "one")).ids).toEqual(["tool_one"])
})

test("a call that is given up ends, and the next one still works", async () => {
  await put("work/a.txt")
  const index = open()
  const aborted = AbortSignal.abort()
  await expect(index.index(scope()).search("a", { limit: 1, signal: aborted })).rejects.toMatchObject({
    code: "cancelled",
  })
  expect((await ids(index, "a.txt")).ids).toEqual(["file_a.txt"])
})

test("a use of something that has no form of ours is refused", async () => {
  const index = open()
  await expect(index.index(scope()).recordUse("x")).rejects.toMatchObject({ code: "invalid_args" })
  expect(() => index.recordUse("x")).not.toThrow()
})
