import { execFileSync, spawn } from "node:child_process"
import { mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import type { LanguageModelV3 } from "@ai-sdk/provider"
import { ToolError } from "@haft/contract"
import { afterEach, beforeEach, expect, test } from "vitest"
import { machineClock } from "./clock.js"
import { openModel } from "./open-model.js"
import { ReadyReply } from "./ready-reply.js"
import { recordedModel, ScriptRecorder } from "./record-script.js"
import { type ModelReply, type ReplyChunk, replyCalls, replyText } from "./reply.js"
import { askingAgent, openScript, type ScriptModel } from "./script-model.js"
import { streamReply } from "./stream-reply.js"

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "haft-script-"))
})
afterEach(() => rm(folder, { recursive: true }))

async function script(...lines: string[]): Promise<string> {
  const file = join(folder, "run.jsonl")
  await writeFile(file, `${lines.join("\n")}\n`)
  return file
}

function ask(model: LanguageModelV3, agent?: string, onChunk?: (chunk: ReplyChunk) => void): Promise<ModelReply> {
  const providerOptions = agent === undefined ? {} : askingAgent(agent)
  const signal = new AbortController().signal
  return streamReply(model, { prompt: [], providerOptions }, { signal, clock: machineClock, onChunk })
}

test("a script replays text and calls in order, as a stream", async () => {
  const long = "A long sentence that comes in more than one piece, as from a model. 🙂".repeat(2)
  const file = await script(
    '{"text":"I will look first.","calls":[{"name":"grep","args":{"pattern":"TODO"}},{"name":"ls"}]}',
    "",
    `{"text":${JSON.stringify(long)}}`,
    '{"calls":[{"name":"read","input":"{broken"}],"usage":{"input":5,"output":2}}',
    "{}",
  )
  const model = await openScript(file)
  const chunks: ReplyChunk[] = []
  const first = await ask(model, undefined, (chunk) => chunks.push(chunk))
  expect(first.parts).toEqual([
    { type: "text", text: "I will look first." },
    { type: "tool-call", id: "script_1_1", name: "grep", input: '{"pattern":"TODO"}' },
    { type: "tool-call", id: "script_1_2", name: "ls", input: "{}" },
  ])
  expect(first).toMatchObject({ finish: "tool-calls", providerMetadata: { script: { line: 1 } } })
  expect(chunks.map(({ type }) => type)).toEqual([
    "text-delta",
    "tool-input-start",
    "tool-input-delta",
    "tool-input-start",
    "tool-input-delta",
  ])
  const pieces: ReplyChunk[] = []
  const second = await ask(model, undefined, (chunk) => pieces.push(chunk))
  expect(replyText(second)).toBe(long)
  expect([pieces.length > 2, second.finish]).toEqual([true, "stop"])
  const third = await ask(model)
  expect(third.parts).toEqual([{ type: "tool-call", id: "script_4_1", name: "read", input: "{broken" }])
  expect(third.usage).toMatchObject({ inputTokens: 5, outputTokens: 2 })
  expect(await ask(model)).toMatchObject({ parts: [], finish: "stop" })
  await expect(ask(model)).rejects.toMatchObject({
    message: `The script "${file}" has no more replies after line 5`,
    failure: { kind: "bad_response", retryable: false, hint: "Add the next reply as line 6 of the script" },
  })
})

test("a line for an agent waits for it, other lines go to any agent that asks", async () => {
  const file = await script(
    '{"text":"1"}',
    '{"agent":"explore","text":"2"}',
    '{"text":"3"}',
    '{"agent":"plan","text":"4"}',
  )
  const model = await openScript(file)
  const texts = []
  for (const agent of [undefined, "main", "explore"]) texts.push(replyText(await ask(model, agent)))
  expect(texts).toEqual(["1", "3", "2"])
  await expect(ask(model, "explore")).rejects.toThrow(
    `The script "${file}" has no more replies for the agent "explore" after line 4; line 4 is reserved for the agent "plan"`,
  )
  expect(replyText(await ask(model, "plan"))).toBe("4")
})

test("an agent that has lines of its own takes no other before them, whoever asks first", async () => {
  const model = await openScript(
    await script('{"text":"main 1"}', '{"text":"main 2"}', '{"agent":"explore","text":"own"}', '{"text":"main 3"}'),
  )
  const texts = []
  for (const agent of ["haft", "explore", "haft", "haft"]) texts.push(replyText(await ask(model, agent)))
  expect(texts).toEqual(["main 1", "own", "main 2", "main 3"])
})

test("a run that goes on skips the lines that an earlier process used", async () => {
  const model = await openScript(await script('{"text":"1"}', '{"agent":"x","text":"2"}', '{"text":"3"}'))
  model.skip([1, 2])
  expect(replyText(await ask(model, "x"))).toBe("3")
})

// biome-ignore format: one line for each
test.each<[string, string, string]>([
  ["a missing brace", '{"text":"a"', ":2:12: close brace expected"],
  ["a missing comma", '{"text":"a" "agent":"b"}', ":2:13: comma expected"],
  ["no JSON", "hello", ":2:1: invalid symbol"],
  ["a trailing comma", '{"text":"a",}', ":2:13: property name expected"],
  ["a comment", '{"text":"a"} // why', ":2:14: invalid comment token"],
  ["a list", "[]", ":2:1: the line must be an object"],
  ["a wrong key", '{"text":"a","tool_calls":[]}', ':2:26: "tool_calls" must be one of the keys text, calls, agent, usage'],
  ["text that is no string", '{"text":5}', ':2:9: "text" must be a string'],
  ["calls that are no list", '{"calls":{"name":"read"}}', ':2:10: "calls" must be a list'],
  ["a call without a name", '{"calls":[{"name":"a"},{"args":{}}]}', ':2:24: "calls.1.name" must be the name of a tool'],
  ["args and input", '{"calls":[{"name":"a","args":{},"input":"{}"}]}', ':2:41: "calls.0.input" must be either args or input'],
  ["usage of words", '{"usage":{"input":"many"}}', ':2:10: "usage" must be {"input":TOKENS,"output":TOKENS}'],
])("%s is an error with its line and column before anything runs", async (_name, line, expected) => {
  const file = await script('{"text":"fine"}', line)
  const error = await openScript(file).catch((reason: unknown) => reason)
  expect(error).toBeInstanceOf(ToolError)
  expect(error).toMatchObject({ code: "invalid_args", message: `Cannot use the script at ${file}${expected}` })
})

test("a script that is missing, a folder or no text is an error with a next step", async () => {
  const missing = openModel(`script:${folder}/none`, { env: {} })
  await expect(missing).rejects.toMatchObject({ code: "not_found", message: expect.stringContaining("does not exist") })
  await expect(openScript(folder)).rejects.toMatchObject({
    code: "invalid_args",
    message: expect.stringContaining("it is a directory"),
  })
  execFileSync("mkfifo", [join(folder, "pipe")])
  await expect(openScript(join(folder, "pipe"))).rejects.toMatchObject({
    message: expect.stringContaining("is a pipe"),
  })
  await expect(openScript("/dev/zero")).rejects.toMatchObject({ code: "too_large" })
  await writeFile(join(folder, "binary"), Buffer.from([0xff, 0xfe, 0x00]))
  await expect(openScript(join(folder, "binary"))).rejects.toThrow("it is not UTF-8 text")
  await writeFile(join(folder, "bom"), '\uFEFF{"text":"a"}\r\n')
  expect(replyText(await ask(await openScript(join(folder, "bom"))))).toBe("a")
})

test("what was recorded replays as the same replies", async () => {
  const source = await openScript(
    await script(
      '{"text":"a\\nb","calls":[{"name":"x","args":{"b":1,"a":[null,"ü"]}},{"name":"y","input":"{\\"n\\": 1 "}]}',
      '{"agent":"explore","text":"sub"}',
      "{}",
    ),
  )
  const replies = [await ask(source), await ask(source, "explore"), await ask(source)]
  const file = join(folder, "recorded.jsonl")
  const recorder = new ScriptRecorder(file)
  for (const [index, reply] of replies.entries()) recorder.add(reply, index === 1 ? "explore" : undefined)
  recorder.close()
  expect(await readFile(file, "utf8")).toBe(
    '{"text":"a\\nb","calls":[{"name":"x","args":{"b":1,"a":[null,"ü"]}},{"name":"y","input":"{\\"n\\": 1 "}]}\n' +
      '{"agent":"explore","text":"sub"}\n' +
      "{}\n",
  )
  const again = await openScript(file)
  const second = [await ask(again), await ask(again, "explore"), await ask(again)]
  expect(second.map(replyCalls)).toEqual(replies.map(replyCalls))
  expect(second.map(replyText)).toEqual(["a\nb", "sub", ""])
})

test("a recording keeps secrets out, refuses a file with content and mends a torn last line", async () => {
  const reply = await ask(await openScript(await script('{"text":"the key is hunter2"}')))
  const file = join(folder, "recorded.jsonl")
  const redact = (text: string) => text.replaceAll("hunter2", "[secret]")
  const first = new ScriptRecorder(file, { redact })
  first.add(reply)
  first.close()
  expect(() => new ScriptRecorder(file)).toThrow(`Cannot record into "${file}": it already has content`)
  expect(() => new ScriptRecorder(join(folder, "no/such/folder"))).toThrow("ENOENT")
  await writeFile(file, '{"text":"torn"}')
  const second = new ScriptRecorder(file, { append: true, redact })
  second.add(reply)
  second.close()
  expect(await readFile(file, "utf8")).toBe('{"text":"torn"}\n{"text":"the key is [secret]"}\n')
})

test("a recording has whole replies alone, and its owner alone may read it", async () => {
  const source = await openScript(await script('{"text":"half"}\n{"text":"whole"}'))
  let isFirst = true
  const file = join(folder, "recorded.jsonl")
  const recorder = new ScriptRecorder(file)
  const breaking = {
    ...{ specificationVersion: "v3" as const, provider: "test", modelId: "test", supportedUrls: {} },
    doGenerate: source.doGenerate,
    async doStream(options: Parameters<ScriptModel["doStream"]>[0]) {
      const { parts } = (await source.doStream(options)) as ReadyReply
      const given = isFirst ? parts.filter(({ type }) => type !== "finish") : parts
      isFirst = false
      return new ReadyReply(given)
    },
  }
  const model = recordedModel(breaking, recorder)
  await expect(ask(model)).rejects.toThrow("broke off before its end")
  expect(replyText(await ask(model))).toBe("whole")
  recorder.close()
  expect(await readFile(file, "utf8")).toBe('{"text":"whole"}\n')
  expect((await stat(file)).mode & 0o777).toBe(0o600)
})

test("a process that is killed while it records leaves whole lines", async () => {
  const file = join(folder, "killed.jsonl")
  const module = fileURLToPath(new URL("./record-script.ts", import.meta.url))
  const root = fileURLToPath(new URL("../../../../", import.meta.url))
  const program = join(folder, "record.ts")
  await writeFile(
    program,
    `import { ScriptRecorder } from ${JSON.stringify(module)}
const recorder = new ScriptRecorder(${JSON.stringify(file)})
const usage = { inputTokens: 0, outputTokens: 0, reasoningTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0 }
for (let count = 0; count < 20_000; count += 1) recorder.add({ parts: [{ type: "text", text: "x".repeat(3000) }], finish: "stop", usage })
`,
  )
  const child = spawn(process.execPath, [join(root, "scripts/run-ts.mjs"), program], { cwd: root, stdio: "inherit" })
  while ((await readFile(file).catch(() => Buffer.alloc(0))).length < 100_000)
    await new Promise((next) => setTimeout(next, 20))
  child.kill("SIGKILL")
  await new Promise((ended) => child.once("exit", ended))
  const text = await readFile(file, "utf8")
  expect(text.endsWith('"}\n')).toBe(true)
  expect((await openScript(file)).modelId).toBe(file)
})
