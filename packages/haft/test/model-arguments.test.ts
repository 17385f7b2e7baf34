import { readFile } from "node:fs/promises"
import type { CallRecord, Envelope } from "@haft/contract"
import { dialectNamed } from "@haft/dialects"
import { scriptedPerson } from "@haft/testkit"
import { afterEach, beforeEach, expect, test } from "vitest"
import type { HaftOptions } from "../src/library/options.js"
import { type LibraryWorld, libraryWorld } from "./library-world.js"

let world: LibraryWorld

beforeEach(async () => {
  world = await libraryWorld({ "a.ts": "one\ntwo\nthree\n", "sub/b.ts": "one\n" })
})

afterEach(() => world.remove())

const mayWrite = { rules: [{ permission: "fs.write", pattern: "{workspace}/**", action: "allow" }] } as const

async function open(options: HaftOptions = {}) {
  const haft = await world.haft({ toolset: "locked,code,launcher", ...mayWrite, ...options })
  const session = await haft.openSession()
  return {
    session,
    async records(): Promise<readonly CallRecord[]> {
      return (await haft.store()).calls(session.id)
    },
  }
}

function data(envelope: Envelope): Record<string, unknown> {
  if (envelope.type !== "output") throw new Error(`${envelope.error_text}\n${envelope.metadata.hint}`)
  return envelope.data as Record<string, unknown>
}

test("what models send runs, and the journal has what was sent and what was meant", async () => {
  const { session, records } = await open()
  const sent = { file_path: "a.ts", offset: "1", limit: "1", byte_offset: null, explanation: "to see the second line" }
  const result = await session.result("read", sent)
  expect(data(result.envelope)).toMatchObject({ content: "two\n", start_line: 2 })
  const note = '"explanation" is not an argument of this tool and was left out'
  expect(result.envelope.metadata.notes).toEqual([note])
  expect(result.content.at(-1)).toEqual({ type: "text", text: `[Note: ${note}]` })
  const [record] = await records()
  expect(record!.rawArguments).toEqual(sent)
  expect(record!.arguments).toEqual({ file_path: "a.ts", offset: 1, limit: 1 })
  expect(record!.envelope!.metadata.notes).toEqual([note])
})

test("an ordinary call has no note", async () => {
  const { session } = await open()
  expect((await session.call("read", { file_path: "a.ts" })).metadata).not.toHaveProperty("notes")
})

test("arguments that arrive as JSON text are taken, and kept as they came", async () => {
  const { session, records } = await open()
  expect(data(await session.call("read", '{"file_path":"a.ts","limit":1}' as never)).content).toBe("one\n")
  expect(await session.executor().execute("read", JSON.stringify('{"file_path":"a.ts","limit":1}'))).toContain("one")
  await expect(session.executor().execute("read", '{"file_path"')).rejects.toMatchObject({
    code: "invalid_args",
    message: 'Cannot call "read": the arguments must be an object, and this text is not a JSON object',
  })
  const kept = await records()
  expect(kept.map(({ rawArguments }) => rawArguments)).toEqual([
    '{"file_path":"a.ts","limit":1}',
    '{"file_path":"a.ts","limit":1}',
    '{"file_path"',
  ])
  expect(kept[0]!.arguments).toEqual({ file_path: "a.ts", limit: 1, offset: 0 })
})

test("the person is shown, and the ladder judges, what was meant", async () => {
  const person = scriptedPerson({ asks: [{ answer: "once" }] })
  const { session, records } = await open({ person, rules: [] })
  await session.call("bash", { command: "echo $((6*7)) > n.txt", timeout: "5000", reason: "to count" } as never)
  expect(person.asked[0]!.arguments).toEqual({ command: "echo $((6*7)) > n.txt", timeout: 5000 })
  expect(await readFile(world.path("n.txt"), "utf8")).toBe("42\n")
  expect((await records())[0]!.arguments).toEqual({ command: "echo $((6*7)) > n.txt", timeout: 5000 })
})

// biome-ignore format: one line for each
test.each<[string, unknown, RegExp]>([
  ["bash", { command: "ls", cwd: "/tmp" }, /^Put "cd DIR &&" in front of the command\. It takes "command" \(required\), "timeout"$/],
  ["bash", { command: "ls", timeout_ms: 5 }, /^Use "timeout" \(ms\) instead of "timeout_ms"\. It takes/],
  ["web_fetch", { url: "https://x.test/", timeout_ms: 5 }, /^Use "timeout" \(Seconds\) instead of "timeout_ms"/],
  ["read", { path: "a.ts" }, /^Use "file_path".* instead of "path"\. It takes "file_path" \(required\), "offset"/],
  ["edit", { file_path: "a.ts", old_str: "one", new_str: "1" }, /^Use "old_string" .*Use "new_string" .* instead of "new_str"\. It takes/],
  ["grep", { pattern: "one", "-n": true }, /^Leave it out: lines are always numbered\. It takes/],
  ["grep", { pattern: "one", include: "*.ts" }, /^Use "glob" .* instead of "include"/],
  ["git", { command: "status", cwd: "sub" }, /^Leave it out: the repository is that of the working directory\. /],
  ["todo", { todos: [{ content: "c", status: "pending", id: "1" }] }, /It takes "content" \(required\), "status" \(required\), "active_form"$/],
])("%s %j: the error says how to say it", async (name, args, hint) => {
  const { session } = await open()
  const { type, metadata } = await session.call(name, args)
  expect({ type, code: metadata.error_code }).toEqual({ type: "error", code: "invalid_args" })
  expect(metadata.hint).toMatch(hint)
})

// biome-ignore format: one line for each
test.each<[string, string, unknown, unknown]>([
  ["a3s", "read", { file_path: "a.ts", offset: "1", limit: null, thought: "t" }, expect.stringContaining('     2\ttwo')],
  ["a3s", "read", '{"file_path":"a.ts"}', expect.stringContaining("     1\tone")],
  ["a3s", "grep", { pattern: "ONE", "-i": "true", path: null }, expect.stringContaining("2 match(es) in 2 file(s)")],
  ["lobe", "lobe-local-system____readLocalFiles", { paths: "a.ts", loc: "[0,1]" }, expect.stringContaining("one")],
  ["lobe", "lobe-calculator____calculate", { expression: "1/3", precision: "2" }, expect.stringContaining("0.33")],
  ["claw", "read_file", { path: "a.ts", limit: "1", offset: null }, expect.stringContaining('"content": "one"')],
  ["claw", "grep_search", { pattern: "one", "-n": "false", output_mode: "content", head_limit: "1" }, expect.stringContaining('"numLines": 1')],
  ["asyar", "builtin:search", { query: "", limit: "0" }, '{"results":[]}'],
  ["asyar", "builtin:web-fetch", { url: "https://x.test/", headers: { a: { b: "c" } } }, /"headers\.a" must be a string, not an object/],
  ["claw", "bash", { command: "ls", cwd: "sub" }, /Put "cd DIR &&" in front of the command\. It takes "command" \(required\), "timeout"/],
])("in %s: %s %j", async (dialect, name, args, expected) => {
  const { session } = await open()
  const { projection } = await session.callIn((await dialectNamed(dialect))!, name, args)
  if (expected instanceof RegExp) expect(projection.text).toMatch(expected)
  else expect(projection.text).toEqual(expected)
  expect(projection.success).toBe(!(expected instanceof RegExp))
})

test("a dialect whose result is words says what it left out", async () => {
  const { session } = await open()
  for (const [dialect, name, args] of [
    ["a3s", "read", { file_path: "a.ts", reason: "r" }],
    ["lobe", "lobe-local-system____readLocalFile", { path: "a.ts", reason: "r" }],
  ] as const) {
    const { projection } = await session.callIn((await dialectNamed(dialect))!, name, args)
    expect(projection.text.split("\n").at(-1)).toBe('[Note: "reason" is not an argument of this tool and was left out]')
    expect(projection.text.match(/was left out/g)).toHaveLength(1)
  }
})
