import { PassThrough, Readable } from "node:stream"
import { setImmediate as nextTurn } from "node:timers/promises"
import { ToolError } from "@haft/contract"
import fc from "fast-check"
import { afterEach, beforeEach, expect, test } from "vitest"
import type { MessageConnection } from "vscode-jsonrpc/node"
import { Connection, type ConnectionOptions } from "./connection.js"
import { MessageSplitter, messageBytes } from "./message-stream.js"

type Message = Readonly<Record<string, unknown>>

const uncaught: unknown[] = []
const note = (error: unknown) => void uncaught.push(error)
beforeEach(() => {
  uncaught.length = 0
  process.on("uncaughtException", note)
  process.on("unhandledRejection", note)
})
afterEach(() => {
  process.off("uncaughtException", note)
  process.off("unhandledRejection", note)
  expect(uncaught).toEqual([])
})

/** A connection to a server that is this test. */
function open(options: Partial<ConnectionOptions> = {}) {
  const output = new PassThrough()
  const input = new PassThrough()
  const sent: Message[] = []
  const broken: ToolError[] = []
  const splitter = new MessageSplitter({ maxBytes: 1e6, onTooLarge: () => undefined, onGarbage: () => undefined })
  input.on("data", (chunk: Buffer) => {
    for (const message of splitter.push(chunk)) sent.push(message as Message)
  })
  const connection = new Connection({
    ...{ name: "test", output, input, answer: () => undefined, onNotification: () => undefined },
    onBroken: (reason) => void broken.push(reason),
    ...options,
  })
  return { connection, sent, broken, say: (message: unknown) => output.write(messageBytes(message as object)) }
}

const options = (timeoutMs = 10_000, signal = new AbortController().signal) => ({ timeoutMs, signal })
const symbols = { query: "x" }

async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await nextTurn()
}

test("whatever messages a server sends, nothing is thrown and the next answer is found", async () => {
  const key = fc.constantFrom("jsonrpc", "id", "method", "params", "result", "error", "code", "message", "token")
  const leaf = fc.oneof(
    fc.constantFrom("2.0", "$/cancelRequest", "$/progress", "initialize", "window/logMessage", null, -1, 1e308),
    fc.string(),
  )
  const hostile = fc.letrec<{ value: unknown }>((tie) => ({
    value: fc.oneof(
      { depthSize: "small" },
      leaf,
      fc.array(tie("value"), { maxLength: 3 }),
      fc.dictionary(key, tie("value"), { maxKeys: 6 }),
    ),
  })).value
  let answered = 0
  await fc.assert(
    fc.asyncProperty(fc.array(hostile, { maxLength: 8 }), async (messages) => {
      const { connection, sent, say, broken } = open()
      for (const message of messages) say(message)
      const asked = connection.request("workspace/symbol", symbols, options())
      await until(() => sent.some(({ method }) => method === "workspace/symbol"))
      say({ jsonrpc: "2.0", id: sent.find(({ method }) => method === "workspace/symbol")!.id, result: ["found"] })
      // An answer with our number among the hostile ones may have been first.
      answered += JSON.stringify(await asked.catch(() => "refused")) === '["found"]' ? 1 : 0
      expect(broken).toEqual([])
    }),
    { numRuns: 200 },
  )
  expect(answered).toBeGreaterThan(150)
})

test("an answer without a result counts as null, and a refusal keeps the words of the server", async () => {
  const { connection, sent, say } = open()
  const first = connection.request("workspace/symbol", symbols, options())
  await until(() => sent.length === 1)
  say({ id: sent[0]!.id })
  expect(await first).toBeNull()
  const second = connection.request("workspace/symbol", symbols, options())
  await until(() => sent.length === 2)
  say({ id: sent[1]!.id, error: { code: -32603, message: "no thanks" } })
  await expect(second).rejects.toMatchObject({ code: "backend", message: expect.stringContaining("no thanks") })
  const third = connection.request("workspace/symbol", symbols, options())
  await until(() => sent.length === 3)
  say({ id: sent[2]!.id, error: { code: -32601, message: "?" } })
  await expect(third).rejects.toMatchObject({ code: "unsupported" })
})

test("a request that is given up is called off and forgotten, and a late answer changes nothing", async () => {
  const { connection, sent, say } = open()
  const pending = () => (Reflect.get(connection, "rpc") as MessageConnection).hasPendingResponse()
  const controller = new AbortController()
  const aborted = connection.request("workspace/symbol", symbols, options(10_000, controller.signal))
  const late = connection.request("workspace/symbol", symbols, options(20))
  expect(pending()).toBe(true)
  controller.abort()
  await expect(aborted).rejects.toMatchObject({ code: "cancelled" })
  await expect(late).rejects.toMatchObject({ code: "timeout" })
  expect(pending()).toBe(false)
  await until(() => sent.filter(({ method }) => method === "$/cancelRequest").length === 2)
  say({ id: sent[0]!.id, result: "late" })
  const asked = connection.request("workspace/symbol", symbols, options())
  await until(() => sent.filter(({ method }) => method === "workspace/symbol").length === 3)
  say({ id: sent.findLast(({ method }) => method === "workspace/symbol")!.id, result: "in time" })
  expect(await asked).toBe("in time")
})

test("after the end every request has its reason, and nothing is sent", async () => {
  const { connection, sent } = open()
  const waiting = connection.request("workspace/symbol", symbols, options())
  const reason = new ToolError("unavailable", "it is over")
  connection.close(reason)
  await expect(waiting).rejects.toBe(reason)
  await expect(connection.request("shutdown", undefined, options())).rejects.toBe(reason)
  connection.notify("exit", undefined)
  await nextTurn()
  expect(sent.map(({ method }) => method)).toEqual(["workspace/symbol"])
})

test("a server that floods waits until its messages were handled", async () => {
  let written = 0
  let handled = 0
  let ahead = 0
  const flood = Readable.from(
    (function* () {
      const message = messageBytes({ jsonrpc: "2.0", method: "window/logMessage", params: { message: "x" } })
      for (; written < 20_000; written += 100) yield Buffer.concat(Array.from({ length: 100 }, () => message))
    })(),
    { objectMode: false, highWaterMark: 1024 },
  )
  open({
    output: flood,
    onNotification: () => {
      handled += 1
      ahead = Math.max(ahead, written - handled)
    },
  })
  await until(() => handled === 20_000)
  expect(ahead).toBeLessThan(1_000)
})

test("a server that does not read what it is sent is given up", async () => {
  const { connection, broken } = open({ input: new PassThrough({ highWaterMark: 1 }) })
  const text = "x".repeat(4 * 1024 * 1024)
  for (let round = 0; round < 20; round += 1) {
    connection.notify("textDocument/didOpen", { textDocument: { uri: "file:///a", languageId: "x", version: 1, text } })
  }
  await until(() => broken.length === 1)
  expect(broken[0]!.message).toContain("does not read")
})
