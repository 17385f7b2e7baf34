import { readFileSync } from "node:fs"
import { methods, type RequestPermissionRequest } from "@agentclientprotocol/sdk/unstable"
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest"
import { Editor } from "./editor.js"
import { type SourceCommand, sourceCommand } from "./source-command.js"
import { type Workbench, workbench } from "./workbench.js"

// An editor on the official library drives the command as a process, over its standard input and output.

let command: SourceCommand
let bench: Workbench
const editors: Editor[] = []

beforeAll(async () => {
  command = await sourceCommand()
})

afterAll(() => command.remove())

beforeEach(() => {
  bench = workbench()
})

afterEach(async () => {
  for (const editor of editors.splice(0)) await editor.leave()
  bench.remove()
})

type Script = readonly { readonly text?: string; readonly calls?: readonly { name: string; args: unknown }[] }[]

function start(script: Script, options: ConstructorParameters<typeof Editor>[2] = {}): Editor {
  bench.write("script.jsonl", `${script.map((line) => JSON.stringify(line)).join("\n")}\n`)
  const words = ["--model", "script:script.jsonl", ...(options.words ?? [])]
  const editor = new Editor(command, bench, { ...options, words })
  editors.push(editor)
  return editor
}

/** Answers every permission request with this option, and keeps the requests. */
function answering(optionId: string) {
  const asked: RequestPermissionRequest[] = []
  const handlers = {
    [methods.client.session.requestPermission]: ({ params }: { params: RequestPermissionRequest }) => {
      asked.push(params)
      return { outcome: { outcome: "selected" as const, optionId } }
    },
  }
  return { asked, handlers }
}

test("a prompt streams text and ends its turn", async () => {
  const editor = start([{ text: "Hello from the script." }])
  const { agentCapabilities, protocolVersion } = await editor.initialize()
  expect(protocolVersion).toBe(1)
  expect(agentCapabilities?.loadSession).toBe(true)
  const { sessionId, modes, configOptions } = await editor.newSession(bench.work)
  expect(modes?.availableModes.map(({ id }) => id)).toEqual(["ask", "plan", "accept-edits", "auto"])
  expect(configOptions?.map(({ id, category }) => [id, category])).toEqual([
    ["mode", "mode"],
    ["model", "model"],
  ])
  expect((await editor.prompt(sessionId, "Hi")).stopReason).toBe("end_turn")
  expect(editor.said()).toBe("Hello from the script.")
  expect(await editor.leave()).toBe(0)
  expect(editor.stderr).toBe("")
})

test("an edit asks with its diff, names what a saved answer covers, and ends with the diff that it made", async () => {
  const { asked, handlers } = answering("once")
  const editor = start(
    [
      { calls: [{ name: "edit", args: { file_path: "a.txt", old_string: "two", new_string: "2" } }] },
      { text: "Done." },
    ],
    { handlers },
  )
  bench.write("a.txt", "one\ntwo\nthree\n")
  await editor.initialize()
  const { sessionId } = await editor.newSession(bench.work)
  await editor.prompt(sessionId, "Make it 2")
  expect(bench.read("a.txt")).toBe("one\n2\nthree\n")
  const path = `${bench.work}/a.txt`
  const [request] = asked
  expect(request?.toolCall.content?.[0]).toEqual({
    ...{ type: "diff", path, oldText: "one\ntwo\nthree\n", newText: "one\n2\nthree\n" },
  })
  expect(request?.options.map(({ optionId, kind, name }) => [optionId, kind, name])).toEqual([
    ["once", "allow_once", "Allow once"],
    ["session", "allow_always", "Allow in this session: fs.write(a.txt)"],
    ["project", "allow_always", "Always allow in this project: fs.write(a.txt)"],
    ["accept-edits", "allow_always", "Accept edits in this session"],
    ["reject", "reject_once", "Reject"],
  ])
  expect(request?._meta?.haft).toMatchObject({ ladder: { verdict: "ask" } })
  const call = editor.call(/^Edit file: a.txt$/)
  expect(call?.statuses).toEqual(["pending", "in_progress", "completed"])
  expect(call).toMatchObject({
    kind: "edit",
    locations: [{ path, line: 2 }],
    content: [{ type: "diff", path, oldText: "one\ntwo\nthree\n", newText: "one\n2\nthree\n" }],
    rawOutput: { type: "output" },
  })
  expect(readFileSync(path, "utf8")).toBe("one\n2\nthree\n")
})
