import { execFileSync, spawn } from "node:child_process"
import { once } from "node:events"
import { existsSync, readFileSync, rmSync } from "node:fs"
import { createInterface } from "node:readline"
import { type CreateTerminalRequest, methods, type RequestPermissionRequest } from "@agentclientprotocol/sdk/unstable"
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest"
import { Editor } from "./editor.js"
import { type SourceCommand, sourceCommand, startCommand } from "./source-command.js"
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

type Script = readonly {
  readonly agent?: string
  readonly text?: string
  readonly calls?: readonly { name: string; args: unknown }[]
}[]

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

function processesWith(words: string): readonly string[] {
  const lines = execFileSync("ps", ["-eo", "args"], { encoding: "utf8" }).split("\n")
  return lines.filter((line) => line.startsWith(words))
}

/** Whether a command has printed this. */
function hasPrinted(editor: Editor, words: string): boolean {
  return editor.updates("tool_call_update").some(({ content }) => JSON.stringify(content ?? []).includes(words))
}

/** Terminals of an editor: real processes whose output is kept. */
class EditorTerminals {
  output = ""
  commandLine = ""
  exitCode: number | null = null
  readonly released: Promise<void>
  private release: () => void = () => undefined
  private exited: Promise<unknown> = Promise.resolve()

  constructor() {
    this.released = new Promise((resolve) => {
      this.release = resolve
    })
  }

  readonly handlers = {
    [methods.client.terminal.create]: ({ params }: { params: CreateTerminalRequest }) => {
      const { command: program, args = [], cwd } = params
      this.commandLine = [program, ...args].join(" ")
      const child = spawn(program, args, { cwd: cwd ?? undefined, stdio: ["ignore", "pipe", "inherit"] })
      child.stdout.on("data", (piece) => {
        this.output += String(piece)
      })
      this.exited = once(child, "close").then(([code]) => {
        this.exitCode = code as number
      })
      return { terminalId: "terminal-1" }
    },
    [methods.client.terminal.waitForExit]: async () => {
      await this.exited
      return { exitCode: this.exitCode }
    },
    [methods.client.terminal.release]: () => {
      this.release()
      return {}
    },
  }
}

test("[C2-159] a prompt streams text and ends its turn", async () => {
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

test("a session that an editor opens without a message is in no list, and `last` is not it", async () => {
  const editor = start([{ text: "Hello." }])
  await editor.initialize()
  const used = await editor.newSession(bench.work)
  await editor.prompt(used.sessionId, "Hi")
  await editor.newSession(bench.work)
  await editor.leave()
  const { stdout } = await bench.run(["session", "list", "--json"])
  expect(stdout.match(/ses_\w+/g)).toEqual([used.sessionId])
  expect((await bench.run(["session", "show", "last"])).stdout).toContain(used.sessionId)
})

test("[C2-162] an edit asks with its diff, names what a saved answer covers, and ends with the diff that it made", async () => {
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
    ["reject-always", "reject_always", "Reject in this session: fs.write(a.txt)"],
  ])
  expect(request?._meta?.haft).toMatchObject({ ladder: { verdict: "ask" } })
  const call = editor.call(/^Edit file a.txt$/)
  expect(call?.statuses).toEqual(["pending", "in_progress", "completed"])
  expect(call).toMatchObject({
    kind: "edit",
    locations: [{ path, line: 2 }],
    content: [{ type: "diff", path, oldText: "one\ntwo\nthree\n", newText: "one\n2\nthree\n" }],
    rawOutput: { type: "output" },
  })
  expect(readFileSync(path, "utf8")).toBe("one\n2\nthree\n")
})

test("a call has its title while its arguments stream in, and the same name from then on", async () => {
  const { asked, handlers } = answering("once")
  const path = `${"a-long-name-".repeat(8)}.txt`
  const editor = start(
    [{ calls: [{ name: "write", args: { file_path: path, content: "x".repeat(300) } }] }, { text: "Done." }],
    { handlers },
  )
  await editor.initialize()
  const { sessionId } = await editor.newSession(bench.work)
  await editor.prompt(sessionId, "Write it")
  const [written, ...others] = editor.updates("tool_call")
  expect(others).toEqual([])
  expect(written).toMatchObject({ title: "Write file", kind: "edit", status: "pending" })
  expect(written).not.toHaveProperty("rawInput")
  const titles = editor.calls()[0]!.changes.flatMap(({ title }) => title ?? [])
  expect(titles.length).toBeGreaterThan(1)
  for (const title of titles) expect(`Write file ${path}`.startsWith(title)).toBe(true)
  expect(titles.at(-1)).toBe(`Write file ${path}`)
  expect(asked[0]?.toolCall).toMatchObject({ toolCallId: written?.toolCallId, title: `Write file ${path}` })
})

test("a command shows its output in a terminal that the editor draws, or as text", async () => {
  const script: Script = [
    { calls: [{ name: "bash", args: { command: "echo one; echo two >&2; exit 3" } }] },
    { text: "Ran." },
  ]
  const drawn = start(script)
  await drawn.initialize({ _meta: { terminal_output: true } })
  await drawn.prompt((await drawn.newSession(bench.work)).sessionId, "Run it")
  const shown = drawn.call(/^Run command echo one/)
  expect(shown?.content).toEqual([{ type: "terminal", terminalId: shown?.toolCallId }])
  const output = shown?.changes.flatMap(
    ({ _meta }) => (_meta?.terminal_output as { data: string } | undefined)?.data ?? [],
  )
  expect(output?.join("")).toContain("one\r\n")
  expect(shown?.changes.at(-1)?._meta?.terminal_exit).toMatchObject({ exit_code: 3 })

  const text = start(script)
  await text.initialize()
  await text.prompt((await text.newSession(bench.work)).sessionId, "Run it")
  const call = text.call(/^Run command/)
  expect(call).toMatchObject({ kind: "execute", status: "completed", locations: [{ path: bench.work }] })
  expect(JSON.stringify(call?.content)).toContain("one\\n[stderr]\\ntwo")
})

test("[C2-163] a terminal of the editor shows what a sandboxed command prints, and ends with its code", async () => {
  const terminals = new EditorTerminals()
  const editor = start(
    [{ calls: [{ name: "bash", args: { command: "echo out; sleep 0.2; echo more; exit 4" } }] }, { text: "Ran." }],
    { handlers: terminals.handlers },
  )
  await editor.initialize({ terminal: true })
  await editor.prompt((await editor.newSession(bench.work)).sessionId, "Run it")
  expect(editor.call(/^Run command/)?.content).toEqual([{ type: "terminal", terminalId: "terminal-1" }])
  await terminals.released
  expect(terminals.output).toBe("out\nmore\n")
  expect(terminals.exitCode).toBe(4)
  // The editor runs a viewer: the command itself never leaves the sandbox.
  expect(terminals.commandLine).not.toContain("echo")
})

test("[C2-160] keys are written as the protocol writes them, whatever tools call theirs", async () => {
  const { handlers } = answering("once")
  const editor = start(
    [{ text: "Now.", calls: [{ name: "write", args: { file_path: "k.txt", content: "x" } }] }, { text: "Done." }],
    { handlers },
  )
  await editor.initialize()
  await editor.prompt((await editor.newSession(bench.work)).sessionId, "Write")
  const keys = new Set<string>()
  JSON.stringify(editor.notifications, (key, value: unknown) => {
    // What tools take and give, and what is ours alone, is passed on as it is.
    if (["rawInput", "rawOutput", "_meta"].includes(key)) return undefined
    if (!/^\d*$/.test(key)) keys.add(key)
    return value
  })
  expect(keys.size).toBeGreaterThan(8)
  expect([...keys].filter((key) => !/^[a-z][A-Za-z]*$/.test(key))).toEqual([])
})

test("[C2-162] what is refused for the session is not asked again, and what is allowed or denied by a rule never is", async () => {
  const { asked, handlers } = answering("reject-always")
  const write = (file_path: string) => ({ calls: [{ name: "write", args: { file_path, content: "x" } }] })
  const editor = start([write("l.txt"), write("l.txt"), write("free.txt"), write("never.txt"), { text: "Ok." }], {
    words: ["--allow", "fs.write(free.txt)", "--deny", "fs.write(never.txt)"],
    handlers,
  })
  await editor.initialize()
  await editor.prompt((await editor.newSession(bench.work)).sessionId, "Write")
  expect(asked.map(({ toolCall }) => toolCall.title)).toEqual(["Write file l.txt"])
  expect(existsSync(`${bench.work}/l.txt`)).toBe(false)
  expect(bench.read("free.txt")).toBe("x")
  expect(existsSync(`${bench.work}/never.txt`)).toBe(false)
})

test("a question is a form, a choice where there are no forms, and unanswered where it is neither", async () => {
  const options = [{ label: "Red" }, { label: "Blue", description: "like the sea" }]
  const ask = { questions: [{ question: "Which colour?", header: "Colour", options }] }
  const script: Script = [{ calls: [{ name: "question", args: ask }] }, { text: "Thanks." }]
  const forms: unknown[] = []
  const form = start(script, {
    handlers: {
      [methods.client.elicitation.create]: ({ params }) => {
        forms.push(params)
        return { action: "accept" as const, content: { question_1: "Blue" } }
      },
    },
  })
  await form.initialize({ elicitation: { form: {} } })
  await form.prompt((await form.newSession(bench.work)).sessionId, "Ask me")
  expect(forms).toMatchObject([
    {
      mode: "form",
      message: "Which colour?",
      requestedSchema: {
        properties: {
          question_1: { type: "string", oneOf: [{ const: "Red" }, { const: "Blue", description: "like the sea" }] },
          question_1_other: { type: "string" },
        },
      },
    },
  ])
  expect(JSON.stringify(form.call(/Colour|question/i)?.rawOutput)).toContain("Blue")

  const { asked, handlers } = answering("choice_1")
  const choice = start(script, { handlers })
  await choice.initialize()
  await choice.prompt((await choice.newSession(bench.work)).sessionId, "Ask me")
  expect(asked[0]?.options.map(({ name }) => name)).toEqual(["Red", "Blue", "Decline to answer"])
  expect(JSON.stringify(choice.call(/./)?.rawOutput)).toContain("Red")

  const open = start([
    { calls: [{ name: "question", args: { questions: [{ question: "Why?" }] } }] },
    { text: "Well." },
  ])
  await open.initialize()
  await open.prompt((await open.newSession(bench.work)).sessionId, "Ask me")
  expect(open.call(/./)?.rawOutput).toMatchObject({
    error_text: expect.stringContaining("No person is available to answer questions here"),
    metadata: { error_code: "unavailable" },
  })
})

test("a todo list is a plan, without what was cancelled", async () => {
  const todos = [
    { content: "Look", status: "completed" },
    { content: "Change", status: "in_progress" },
    { content: "Forget", status: "cancelled" },
  ]
  const editor = start([{ calls: [{ name: "todo", args: { todos } }] }, { text: "Planned." }])
  await editor.initialize()
  await editor.prompt((await editor.newSession(bench.work)).sessionId, "Plan it")
  expect(editor.updates("plan").map(({ entries }) => entries)).toEqual([
    [
      { content: "Look", status: "completed", priority: "medium" },
      { content: "Change", status: "in_progress", priority: "medium" },
    ],
  ])
})

test("[C2-161] cancelling ends the turn and every process that it started", async () => {
  const editor = start([{ calls: [{ name: "bash", args: { command: "echo begun; sleep 4321" } }] }, { text: "Never." }])
  await editor.initialize()
  const { sessionId } = await editor.newSession(bench.work)
  const turn = editor.prompt(sessionId, "Sleep")
  await editor.until(() => hasPrinted(editor, "begun"))
  expect(processesWith("sleep 4321")).not.toEqual([])
  await editor.connection.agent.notify(methods.agent.session.cancel, { sessionId })
  expect((await turn).stopReason).toBe("cancelled")
  expect(processesWith("sleep 4321")).toEqual([])
  expect(editor.call(/sleep 4321/)).toMatchObject({
    status: "failed",
    rawOutput: { metadata: { error_code: "cancelled" } },
  })
})

test("closing a session while it works ends the wait for its turn, and nothing is left running", async () => {
  const editor = start([{ calls: [{ name: "bash", args: { command: "echo begun; sleep 5432" } }] }, { text: "Never." }])
  await editor.initialize()
  const { sessionId } = await editor.newSession(bench.work)
  const turn = editor.prompt(sessionId, "Sleep")
  await editor.until(() => hasPrinted(editor, "begun"))
  await editor.connection.agent.request(methods.agent.session.close, { sessionId })
  expect((await turn).stopReason).toBe("cancelled")
  expect(processesWith("sleep 5432")).toEqual([])
})

test("a permission request that is answered with cancelled ends the turn", async () => {
  const editor = start(
    [{ calls: [{ name: "write", args: { file_path: "b.txt", content: "x" } }] }, { text: "Never." }],
    {
      handlers: {
        [methods.client.session.requestPermission]: () => ({ outcome: { outcome: "cancelled" as const } }),
      },
    },
  )
  await editor.initialize()
  const { stopReason } = await editor.prompt((await editor.newSession(bench.work)).sessionId, "Write")
  expect(stopReason).toBe("cancelled")
  expect(existsSync(`${bench.work}/b.txt`)).toBe(false)
})

test("[C2-161] after kill -9 in the middle of a turn, session/load replays what happened and goes on", async () => {
  const script: Script = [
    { text: "First I write.", calls: [{ name: "write", args: { file_path: "c.txt", content: "one" } }] },
    { text: "Now I ask.", calls: [{ name: "write", args: { file_path: "d.txt", content: "two" } }] },
    { text: "All done." },
  ]
  let asks = 0
  const stuck = start(script, {
    words: ["--allow", "fs.write(c.txt)"],
    handlers: {
      [methods.client.session.requestPermission]: () => {
        asks += 1
        return new Promise<never>(() => undefined)
      },
    },
  })
  await stuck.initialize()
  const { sessionId } = await stuck.newSession(bench.work)
  const lost = stuck.prompt(sessionId, "Write two files").catch(() => "lost")
  await stuck.until(() => stuck.said().includes("Now I ask."))
  while (asks === 0) await new Promise((resolve) => setTimeout(resolve, 20))
  stuck.process.kill("SIGKILL")
  await once(stuck.process, "close")
  expect(await lost).toBe("lost")
  expect(bench.read("c.txt")).toBe("one")
  expect(existsSync(`${bench.work}/d.txt`)).toBe(false)

  const { asked, handlers } = answering("once")
  // The replies of before are in the journal: only what comes after them is asked for.
  const again = start(script.slice(2), { words: ["--allow", "fs.write(c.txt)"], handlers })
  await again.initialize()
  await again.connection.agent.request(methods.agent.session.load, { sessionId, cwd: bench.work, mcpServers: [] })
  await again.until(() => again.said().includes("All done."))
  expect(again.updates("user_message_chunk").map(({ content }) => content)).toEqual([
    { type: "text", text: "Write two files" },
  ])
  expect(again.said()).toBe("First I write.Now I ask.All done.")
  expect(again.calls().map(({ title }) => title)).toEqual(["Write file c.txt", "Write file d.txt"])
  expect(asked.map(({ toolCall }) => toolCall.title)).toEqual(["Write file d.txt"])
  expect(bench.read("d.txt")).toBe("two")
})

test("[C2-163] the editor's unsaved text is read and edited, and the editor hears of the change", async () => {
  const { handlers } = answering("once")
  const written: unknown[] = []
  const editor = start(
    [
      { calls: [{ name: "read", args: { file_path: "e.txt" } }] },
      { calls: [{ name: "edit", args: { file_path: "e.txt", old_string: "unsaved", new_string: "better" } }] },
      { text: "Done." },
    ],
    {
      handlers: {
        ...handlers,
        [methods.client.fs.readTextFile]: ({ params }) => {
          if (params.path !== `${bench.work}/e.txt`) throw new Error("no such buffer")
          return { content: "first\nunsaved\n" }
        },
        [methods.client.fs.writeTextFile]: ({ params }) => {
          written.push(params)
          return {}
        },
      },
    },
  )
  bench.write("e.txt", "first\r\nsaved\r\n")
  await editor.initialize({ fs: { readTextFile: true, writeTextFile: true } })
  const { sessionId } = await editor.newSession(bench.work)
  await editor.prompt(sessionId, "Improve it")
  expect(JSON.stringify(editor.call(/^Read file/)?.content)).toContain("unsaved")
  // The line breaks of the file stay; the former content on disk can be brought back.
  expect(bench.read("e.txt")).toBe("first\r\nbetter\r\n")
  expect(written).toEqual([{ sessionId, path: `${bench.work}/e.txt`, content: "first\r\nbetter\r\n" }])
  expect((await editor.prompt(sessionId, "/undo")).stopReason).toBe("end_turn")
  expect(bench.read("e.txt")).toBe("first\r\nsaved\r\n")
})

test("a search says that it has not seen the unsaved text of a file", async () => {
  const handlers = {
    [methods.client.fs.readTextFile]: ({ params }: { params: { path: string } }) => {
      return {
        content: params.path.endsWith("a.txt") ? "TODO typed\n" : bench.read(params.path.slice(bench.work.length + 1)),
      }
    },
  }
  const script = [{ calls: [{ name: "grep", args: { pattern: "TODO", glob: "*.txt" } }] }, { text: "Done." }]
  const editor = start(script, { handlers })
  bench.write("a.txt", "TODO saved\n")
  bench.write("b.txt", "TODO too\n")
  await editor.initialize({ fs: { readTextFile: true } })
  const { sessionId } = await editor.newSession(bench.work)
  await editor.prompt(sessionId, "Search")
  const call = editor.call(/^Search in files TODO$/)
  expect(JSON.stringify(call?.content)).toContain("unsaved text of a.txt in the editor was not searched")
  expect(call?.rawOutput).toMatchObject({ data: { match_count: 2, skipped: { unsaved: ["a.txt"] } } })
})

test("a file with unsaved changes that nobody looked at is not written over", async () => {
  const { handlers } = answering("once")
  const editor = start(
    [{ calls: [{ name: "write", args: { file_path: "f.txt", content: "mine" } }] }, { text: "I should look first." }],
    { handlers: { ...handlers, [methods.client.fs.readTextFile]: () => ({ content: "typed by the person" }) } },
  )
  bench.write("f.txt", "saved")
  await editor.initialize({ fs: { readTextFile: true } })
  await editor.prompt((await editor.newSession(bench.work)).sessionId, "Write")
  expect(editor.call(/^Write file/)?.rawOutput).toMatchObject({
    error_text: 'Cannot write "f.txt": it has changes in the editor that are not saved',
    metadata: { error_code: "conflict" },
  })
  expect(bench.read("f.txt")).toBe("saved")
})

test("an editor that refuses what it promised gets text instead, and the turn goes on", async () => {
  const refused: string[] = []
  const refuse = ({ method }: { method: string }) => {
    refused.push(method)
    throw new Error("not now")
  }
  const { handlers } = answering("choice_2")
  const options = [{ label: "Red" }, { label: "Blue" }]
  const editor = start(
    [
      { calls: [{ name: "read", args: { file_path: "g.txt" } }] },
      { calls: [{ name: "bash", args: { command: "echo still" } }] },
      { calls: [{ name: "question", args: { questions: [{ question: "Which?", options }] } }] },
      { text: "Done." },
    ],
    {
      handlers: {
        ...handlers,
        [methods.client.fs.readTextFile]: refuse,
        [methods.client.terminal.create]: refuse,
        [methods.client.elicitation.create]: refuse,
      },
    },
  )
  bench.write("g.txt", "on disk\n")
  await editor.initialize({ fs: { readTextFile: true }, terminal: true, elicitation: { form: {} } })
  const { stopReason } = await editor.prompt((await editor.newSession(bench.work)).sessionId, "Go")
  expect(stopReason).toBe("end_turn")
  expect(refused).toEqual(["fs/read_text_file", "terminal/create", "elicitation/create"])
  expect(JSON.stringify(editor.call(/^Read file/)?.content)).toContain("on disk")
  expect(JSON.stringify(editor.call(/^Run command/)?.content)).toContain("still")
  expect(JSON.stringify(editor.notifications)).toContain("Blue")
})

test.each([
  ["fails", { [methods.client.session.requestPermission]: () => Promise.reject(new Error("not now")) }],
  ["is not there", {}],
  [
    "is no answer",
    { [methods.client.session.requestPermission]: () => ({ outcome: { outcome: "selected", optionId: "x" } }) },
  ],
])("an editor whose permission request %s refuses the call, and the turn goes on", async (_name, handlers) => {
  const script = [{ calls: [{ name: "write", args: { file_path: "w.txt", content: "x" } }] }, { text: "Went on." }]
  const editor = start(script, { handlers: handlers as never })
  await editor.initialize()
  const { stopReason } = await editor.prompt((await editor.newSession(bench.work)).sessionId, "Go")
  expect(stopReason).toBe("end_turn")
  expect(editor.said()).toContain("Went on.")
  expect(editor.call(/^Write file/)).toMatchObject({
    status: "failed",
    rawOutput: { type: "error", metadata: { error_code: "denied" } },
  })
  expect(existsSync(`${bench.work}/w.txt`)).toBe(false)
})

test("arguments are edited in a form before the call runs, and are judged again", async () => {
  const asked: RequestPermissionRequest[] = []
  const forms = ["not json", '{"file_path":"h.txt","content":"edited"}']
  const messages: string[] = []
  const editor = start(
    [{ calls: [{ name: "write", args: { file_path: "h.txt", content: "as the model had it" } }] }, { text: "Ok." }],
    {
      handlers: {
        [methods.client.session.requestPermission]: ({ params }) => {
          asked.push(params)
          return { outcome: { outcome: "selected" as const, optionId: asked.length === 1 ? "edit" : "once" } }
        },
        [methods.client.elicitation.create]: ({ params }) => {
          messages.push(params.message)
          return { action: "accept" as const, content: { arguments: forms.shift()! } }
        },
      },
    },
  )
  await editor.initialize({ elicitation: { form: {} } })
  await editor.prompt((await editor.newSession(bench.work)).sessionId, "Write")
  expect(asked[0]?.options.map(({ name }) => name)).toContain("Edit the arguments first")
  expect(messages[1]).toMatch(/no JSON/)
  expect(bench.read("h.txt")).toBe("edited")
})

test("modes are set as modes or as options, and an unknown one is refused", async () => {
  const editor = start([{ calls: [{ name: "write", args: { file_path: "i.txt", content: "x" } }] }, { text: "Ok." }])
  await editor.initialize()
  const { sessionId } = await editor.newSession(bench.work)
  const { agent } = editor.connection
  await agent.request(methods.agent.session.setMode, { sessionId, modeId: "accept-edits" })
  await editor.prompt(sessionId, "Write")
  expect(bench.read("i.txt")).toBe("x")
  const { configOptions } = await agent.request(methods.agent.session.setConfigOption, {
    ...{ sessionId, configId: "mode", value: "plan" },
  })
  expect(configOptions[0]).toMatchObject({ id: "mode", currentValue: "plan" })
  expect(editor.updates("current_mode_update").map(({ currentModeId }) => currentModeId)).toEqual([
    "accept-edits",
    "plan",
  ])
  await expect(agent.request(methods.agent.session.setMode, { sessionId, modeId: "yolo" })).rejects.toMatchObject({
    code: -32602,
    message: expect.stringContaining("there is no such mode"),
  })
})

test("without a model every way to a session says how to set one", async () => {
  const editor = new Editor(command, bench)
  editors.push(editor)
  await editor.initialize()
  await expect(editor.newSession(bench.work)).rejects.toMatchObject({
    code: -32603,
    message: expect.stringMatching(/none is set.*haft config set model PROVIDER:NAME/s),
    data: { code: "not_configured" },
  })
})

test("calls before initialize, unknown methods, wrong arguments and unknown sessions are errors of the protocol", async () => {
  const editor = start([{ text: "Still here." }])
  const { agent } = editor.connection
  await expect(editor.newSession(bench.work)).rejects.toMatchObject({ code: -32600 })
  await editor.initialize()
  await expect(agent.request("session/teleport", {})).rejects.toMatchObject({ code: -32601 })
  await expect(agent.request("session/new", { cwd: 5 })).rejects.toMatchObject({ code: -32602 })
  await expect(editor.newSession("relative/path")).rejects.toMatchObject({ code: -32602 })
  await expect(editor.newSession(`${bench.work}/missing`)).rejects.toMatchObject({ code: -32602 })
  await expect(editor.prompt("ses_unknown", "Hi")).rejects.toMatchObject({ code: -32002 })
  await expect(
    agent.request(methods.agent.session.load, { sessionId: "ses_unknown", cwd: bench.work, mcpServers: [] }),
  ).rejects.toMatchObject({ code: -32002 })
  const { sessionId } = await editor.newSession(bench.work)
  await editor.prompt(sessionId, "Hi")
  expect(editor.said()).toBe("Still here.")
})

test("frames that are no JSON, no object or too long cost themselves and not the connection", async () => {
  const child = startCommand(command, bench, ["acp", "--model", "script:script.jsonl"])
  bench.write("script.jsonl", '{"text":"x"}\n')
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  const answer = async () => JSON.parse(String((await lines.next()).value)) as { id: unknown; error?: { code: number } }
  child.stdin.write("this is no json\n")
  expect(await answer()).toMatchObject({ id: null, error: { code: -32700 } })
  child.stdin.write('["a", "batch"]\n')
  expect(await answer()).toMatchObject({ id: null, error: { code: -32600 } })
  child.stdin.write(`{"jsonrpc":"2.0","id":1,"method":"${"x".repeat(33 * 1024 * 1024)}"}\n`)
  expect(await answer()).toMatchObject({ id: null, error: { code: -32600 } })
  child.stdin.write('{"jsonrpc":"2.0","id":2,"method":"initialize","params":{"protocolVersion":99}}\n')
  expect(await answer()).toMatchObject({ id: 2, result: { protocolVersion: 1 } })
  child.stdin.end()
  const [code] = await once(child, "close")
  expect(code).toBe(0)
})

test("[C2-161] two sessions run side by side, and a session is listed, closed, resumed, deleted and forked", async () => {
  const editor = start([{ text: "Only line." }])
  await editor.initialize()
  const one = await editor.newSession(bench.work)
  const two = await editor.newSession(bench.work)
  expect(one.sessionId).not.toBe(two.sessionId)
  await Promise.all([
    editor.prompt(one.sessionId, "First task\nwith more"),
    editor.prompt(two.sessionId, "Second task"),
  ])
  expect(editor.said(one.sessionId)).toBe("Only line.")
  expect(editor.said(two.sessionId)).toBe("Only line.")
  const { agent } = editor.connection
  const { list, close, resume, fork, delete: remove } = methods.agent.session
  const listed = async () => (await agent.request(list, { cwd: bench.work })).sessions
  expect((await listed()).map(({ title, cwd }) => [title, cwd]).sort()).toEqual([
    ["First task", bench.work],
    ["Second task", bench.work],
  ])
  await agent.request(close, { sessionId: one.sessionId })
  await expect(editor.prompt(one.sessionId, "Hi")).rejects.toMatchObject({ code: -32002 })
  const count = editor.notifications.length
  await agent.request(resume, { sessionId: one.sessionId, cwd: bench.work })
  expect(editor.notifications.slice(count).filter(({ update }) => "content" in update)).toEqual([])
  await agent.request(remove, { sessionId: two.sessionId })
  expect((await listed()).map(({ sessionId }) => sessionId)).toEqual([one.sessionId])
  const copy = await agent.request(fork, { sessionId: one.sessionId, cwd: bench.work, mcpServers: [] })
  expect(copy.sessionId).not.toBe(one.sessionId)
  await editor.prompt(copy.sessionId, "And now?")
  expect((await listed()).map(({ title }) => title)).toEqual(["First task", "First task"])
})

test("an editor that disappears leaves nothing running, and its turn goes on when it is back", async () => {
  const editor = start([{ calls: [{ name: "bash", args: { command: "echo begun; sleep 8765" } }] }, { text: "Never." }])
  await editor.initialize()
  const { sessionId } = await editor.newSession(bench.work)
  void editor.prompt(sessionId, "Sleep").catch(() => undefined)
  await editor.until(() => hasPrinted(editor, "begun"))
  await editor.leave()
  expect(processesWith("sleep 8765")).toEqual([])
  const again = start([{ text: "I went on." }])
  await again.initialize()
  await again.connection.agent.request(methods.agent.session.load, { sessionId, cwd: bench.work, mcpServers: [] })
  await again.until(() => again.said().includes("I went on."))
  // A command that was interrupted is not run a second time.
  expect(again.call(/sleep 8765/)?.status).toBe("failed")
})

test("slash commands answer without the model, and MCP servers of the editor need the person's trust", async () => {
  const editor = start([{ text: "A model." }])
  await editor.initialize()
  const { sessionId } = await editor.connection.agent.request(methods.agent.session.new, {
    cwd: bench.work,
    mcpServers: [{ name: "helper", command: "/bin/false", args: [], env: [] }],
  })
  await editor.until(() => editor.said().includes("helper"))
  expect(editor.said()).toMatch(
    /"helper" of the editor brings no tools: you do not trust it yet.*haft mcp trust helper/,
  )
  const [commands] = editor.updates("available_commands_update")
  expect(commands?.availableCommands.map(({ name }) => name).slice(0, 6)).toEqual([
    ...["permissions", "explain", "undo", "diff", "sandbox", "skill"],
  ])
  await editor.prompt(sessionId, '/explain write {"file_path":"x.ts","content":""}')
  expect(editor.said()).toMatch(/ask: .*rules: ask/s)
  await editor.prompt(sessionId, "/permissions")
  expect(editor.said()).toContain("Mode: ask")
  await editor.prompt(sessionId, "/diff")
  expect(editor.said()).toContain("No file is different from before this session.")
  expect(editor.said()).not.toContain("A model.")
})

test("/diff shows what is different from before the session, whoever of its agents changed it", async () => {
  const { handlers } = answering("once")
  const write = (file_path: string, content: string) => ({ name: "write", args: { file_path, content } })
  const editor = start(
    [
      { calls: [write("a.txt", "first\n"), write("new.txt", "new\n"), write("same.txt", "other\n")] },
      { calls: [{ name: "read", args: { file_path: "a.txt" } }] },
      { calls: [write("a.txt", "second\n"), write("same.txt", "same\n")] },
      { calls: [{ name: "task", args: { subagent_type: "general", prompt: "Write it" } }] },
      { agent: "general", calls: [write("by-agent.txt", "x\n")] },
      { agent: "general", text: "Done." },
      { text: "Done." },
    ],
    { handlers, words: ["--mode", "accept-edits"] },
  )
  bench.write("a.txt", "before\n")
  bench.write("same.txt", "same\n")
  bench.write("other.txt", "untouched\n")
  await editor.initialize()
  const { sessionId } = await editor.newSession(bench.work)
  await editor.prompt(sessionId, "Write")
  await editor.prompt(sessionId, "/diff")
  expect(editor.said()).toContain("- changed a.txt\n- created by-agent.txt\n- created new.txt")
  const shown = editor.call(/^Changes of this session$/)
  expect(shown).toMatchObject({ kind: "read", status: "completed" })
  expect(shown?.content).toEqual([
    { type: "diff", path: `${bench.work}/a.txt`, oldText: "before\n", newText: "second\n" },
    { type: "diff", path: `${bench.work}/by-agent.txt`, oldText: null, newText: "x\n" },
    { type: "diff", path: `${bench.work}/new.txt`, oldText: null, newText: "new\n" },
  ])
  rmSync(`${bench.work}/new.txt`)
  bench.write("a.txt", "before\n")
  await editor.prompt(sessionId, "/undo")
  const before = editor.said().length
  await editor.prompt(sessionId, "/diff")
  expect(editor.said().slice(before)).toBe("No file is different from before this session.")
})

test("/sandbox says what confines commands, as doctor does", async () => {
  const editor = start([{ text: "A model." }])
  await editor.initialize()
  const { sessionId } = await editor.newSession(bench.work)
  await editor.prompt(sessionId, "/sandbox")
  expect(editor.said()).toMatch(/^- ok sandbox: required; commands run behind /)
  expect(editor.said()).toMatch(/- \w+ sandbox bwrap: /)
  const open = start([{ text: "A model." }], { words: ["--sandbox", "off"] })
  await open.initialize()
  const other = await open.newSession(bench.work)
  await open.prompt(other.sessionId, "/sandbox")
  expect(open.said()).toMatch(/^- warn sandbox: switched off/)
})

test("a wide folder needs to be named, and a folder outside of the named ones is refused", async () => {
  const editor = start([{ text: "x" }])
  await editor.initialize()
  await expect(editor.newSession("/")).rejects.toMatchObject({ message: expect.stringContaining("--root /") })
  const narrow = start([{ text: "x" }], { words: ["--root", bench.work] })
  await narrow.initialize()
  await expect(narrow.newSession("/usr")).rejects.toMatchObject({ data: { code: "denied" } })
})

test.each([
  ["zed", '"agent_servers"'],
  ["jetbrains", ".jetbrains/acp.json"],
  ["neovim", "acp_providers"],
])("the configuration of %s is printed", async (editor, words) => {
  const { stdout, code } = await bench.run(["acp", "--print-config", editor])
  expect(code).toBe(0)
  expect(stdout).toContain(words)
  // No PATH leads to it here.
  expect(stdout).toMatch(/bin.haft\.cjs"/)
})
