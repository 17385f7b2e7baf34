import { existsSync, readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest"
import { type SourceCommand, sourceCommand } from "../../test/source-command.js"
import { pause, TerminalRun } from "../../test/terminal-run.js"
import { type Workbench, workbench } from "../../test/workbench.js"

let command: SourceCommand
let bench: Workbench
beforeAll(async () => {
  command = await sourceCommand()
})
afterAll(() => command.remove())
beforeEach(() => {
  bench = workbench()
})
afterEach(() => bench.remove())

function chat(lines: readonly object[], words: readonly string[] = [], env: Record<string, string> = {}): TerminalRun {
  const script = bench.write("../script.jsonl", lines.map((line) => JSON.stringify(line)).join("\n"))
  const model = words.includes("--model") ? [] : ["--model", `script:${script}`]
  const argv = [process.execPath, command.program, "chat", ...model, ...words]
  return new TerminalRun(argv, { cwd: bench.work, env: { ...bench.env, ...env } })
}

const writes = { calls: [{ name: "write", args: { file_path: "b.txt", content: "done\n" } }] }
const sleeps = { calls: [{ name: "bash", args: { command: "sleep 617" } }] }
const written = () => existsSync(join(bench.work, "b.txt"))

/** How many processes have this word in their command line. */
function running(word: string): number {
  const lines = readdirSync("/proc").flatMap((pid) => {
    try {
      return /^\d+$/.test(pid) ? [readFileSync(`/proc/${pid}/cmdline`, "utf8")] : []
    } catch {
      return []
    }
  })
  return lines.filter((line) => line.split("\0").includes(word)).length
}

const ready = "/help shows commands"
const inBackground = { name: "task", args: { subagent_type: "explore", prompt: "Look", background: true } }

describe("haft chat", () => {
  test("the report of work in the background is shown when it comes, also to a person who says nothing", async () => {
    const run = chat([
      { calls: [inBackground] },
      { text: "I have started it." },
      { agent: "explore", calls: [{ name: "ls", args: {} }] },
      { agent: "explore", text: "There is nothing." },
      { text: "It has found nothing." },
      { text: "You are welcome." },
    ])
    await run.until(ready)
    run.type("Look\r")
    await run.until("I have started it.")
    await run.until("It has found nothing.")
    run.type("Thanks\r")
    await run.until("You are welcome.")
    run.type("/exit\r")
    expect(await run.code()).toBe(0)
  })

  test("messages become turns with text and calls, commands answer, and /exit leaves with 0", async () => {
    bench.write("a.txt", "TODO\n")
    const run = chat([
      { text: "Looking.", calls: [{ name: "grep", args: { pattern: "TODO" } }] },
      { text: "Found it." },
    ])
    await run.until(ready)
    run.type("Find it\r")
    await run.until("Looking.")
    await run.until("ok")
    await run.until("Found it.")
    await run.until("tokens in")
    run.type("/session\r")
    await run.until("ses_")
    run.type("/exit\r")
    expect(await run.code()).toBe(0)
  })

  test("a command or an agent that did not end well is not called ok", async () => {
    const commands = [{ command: "false" }, { command: "nosuchprog" }, { command: "sleep 3", timeout: 1000 }]
    const looks = { name: "task", args: { subagent_type: "explore", prompt: "Look" } }
    const run = chat(
      [
        { calls: [...commands.map((args) => ({ name: "bash", args })), looks] },
        { agent: "explore", calls: [{ name: "ls", args: {} }] },
        { agent: "explore", calls: [{ name: "glob", args: { pattern: "*" } }] },
        { text: "Done." },
      ],
      ["--allow", "bash", "--max-steps", "2", "Go"],
    )
    await run.until("Done.")
    run.type("/exit\r")
    expect(await run.code()).toBe(0)
    const red = "\u001b[31m"
    for (const line of [`false  ${red}exit 1`, `nosuchprog  ${red}exit 127`, `sleep 3  ${red}timed out`])
      expect(run.shown).toContain(line)
    expect(run.shown).toContain(`Look  ${red}limit: `)
  })

  test("keys of a message never answer a question: they stay in the message, and Tab gives the keys to the question", async () => {
    const run = chat([writes, { text: "One." }, { text: "Two." }], ["Write it"])
    await run.until("Permission needed")
    run.type("y")
    await pause(60)
    run.type("es")
    await run.until("Tab: answer the question above")
    await run.press("y")
    await run.press("\u007f")
    await pause(700)
    expect(written()).toBe(false)
    run.type("\t")
    await run.press("y")
    await run.until("One.")
    expect(written()).toBe(true)
    run.type("\r")
    await run.until("> yes")
    await run.until("Two.")
    run.type("\u0004")
    expect(await run.code()).toBe(0)
  })

  test("a fresh key answers at once when nothing is being written", async () => {
    const run = chat([writes, { text: "Done." }], ["Write it"])
    await run.until("allow once")
    expect(run.shown).toContain("waits for you")
    expect(run.shown.lastIndexOf("waits for you")).toBeGreaterThan(run.shown.lastIndexOf("runs"))
    await run.press("y")
    await run.until("Done.")
    expect(written()).toBe(true)
    run.type("/exit\r")
    expect(await run.code()).toBe(0)
  })

  test("Ctrl-C stops the turn once, and a message that waited is sent then", async () => {
    const run = chat([sleeps, { text: "Next." }], ["--allow", "bash", "Go"])
    await run.until("runs")
    run.type("and then\r")
    await run.until("1 waiting for the end of this turn")
    run.type("\u0003")
    await run.until("stopped:")
    await run.until("Next.")
    run.type("/exit\r")
    expect(await run.code()).toBe(0)
  })

  test("Ctrl-C stops the turn and keeps what is being written; when none runs it clears that", async () => {
    const run = chat([sleeps, { text: "Read." }], ["--allow", "bash", "Go"])
    await run.until("runs")
    run.type("half a mess")
    await run.until("half a mess")
    run.type("\u0003")
    await run.until("stopped:")
    run.type("age\r")
    await run.until("> half a message")
    await run.until("Read.")
    await run.until("tokens in")
    run.type("nothing")
    await run.until("nothing")
    run.type("\u0003")
    await pause(200)
    run.type("/exit\r")
    expect(await run.code()).toBe(0)
    const [, ended] = run.shown.split("stopped:")
    expect(ended).not.toContain("Ctrl-C again leaves")
  })

  test("Ctrl-C stops the turn also in a paste that the terminal never ends, which stays", async () => {
    const run = chat([sleeps, { text: "Read." }], ["--allow", "bash", "Go"])
    await run.until("runs")
    run.type("\u001b[200~Look")
    await run.until("Look")
    run.type("\u0003")
    await run.until("stopped:")
    run.type(" here\r")
    await run.until("> Look here")
    await run.until("Read.")
    run.type("/exit\r")
    expect(await run.code()).toBe(0)
  })

  test("Ctrl-C twice leaves at once in the middle of a turn: nothing runs on, and the session can be gone on with", async () => {
    const run = chat([sleeps], ["--allow", "bash", "Go"])
    await run.until("session ")
    const session = /ses_\w+/.exec(run.shown)![0]
    await run.until("runs")
    run.type("\u0003\u0003")
    expect(await run.code()).toBe(130)
    await expect.poll(() => running("617"), { timeout: 10_000 }).toBe(0)
    const verified = await bench.run(["session", "verify", session])
    expect([verified.code, verified.stderr]).toEqual([0, ""])
    const more = chat([{ text: "Here again." }], ["--session", session, "More"])
    await more.until("Here again.")
    more.type("/exit\r")
    expect(await more.code()).toBe(0)
  })

  test("between turns Ctrl-C says what a second one does, and the second leaves with 0", async () => {
    const run = chat([{ text: "Hello." }], ["Hi"])
    await run.until("tokens in")
    await run.press("\u0003")
    await run.until("Ctrl-C again leaves")
    await run.press("\u0003")
    expect(await run.code()).toBe(0)
  })

  test("/model changes the model of the conversation; one that cannot be used leaves the former", async () => {
    const other = bench.write("../other.jsonl", JSON.stringify({ text: "I am the other." }))
    const run = chat([{ text: "First." }], ["Hi"])
    await run.until("tokens in")
    run.type("/model\r")
    await run.until("script.jsonl")
    run.type("/model nobody:x\r")
    await run.until("there is no such provider")
    await run.until("  Write PROVIDER:NAME")
    run.type("Are you there?\r")
    // A script begins again where it is opened again.
    await run.until("First.")
    await run.until("tokens in")
    run.type(`/model script:${other}\r`)
    await run.until("From now on:")
    run.type("And now?\r")
    await run.until("I am the other.")
    run.type("/session\r")
    await run.until("ses_")
    run.type("/exit\r")
    expect(await run.code()).toBe(0)
    const [session, ...others] = new Set(run.shown.match(/ses_\w+/g))
    expect(others).toEqual([])
    const shown = (await bench.run(["session", "replay", session!])).stdout
    expect(shown).toBe("First.\nFirst.\nI am the other.\n")
  })

  test("/model before the first message changes it too, and one that cannot be used leaves the former", async () => {
    const other = bench.write("../other.jsonl", JSON.stringify({ text: "I am the other." }))
    const run = chat([{ text: "First." }])
    await run.until(ready)
    run.type("/model nonsense\r")
    await run.until("it names no provider")
    run.type("Are you there?\r")
    await run.until("First.")
    await run.until("tokens in")
    run.type("/exit\r")
    expect(await run.code()).toBe(0)
    const next = chat([{ text: "First." }])
    await next.until(ready)
    // In one piece, as from a person who does not wait.
    next.type(`/model script:${other}\rAnd now?\r`)
    await next.until("From now on:")
    await next.until("I am the other.")
    next.type("/exit\r")
    expect(await next.code()).toBe(0)
  })

  test("a message and a change of the model in one piece are taken in their order", async () => {
    const other = bench.write("../other.jsonl", JSON.stringify({ text: "I am the other." }))
    const run = chat([{ text: "First." }])
    await run.until(ready)
    run.type(`Hi\r/model script:${other}\rAnd now?\r`)
    await run.until("First.")
    await run.until("From now on:")
    await run.until("I am the other.")
    run.type("/exit\r")
    expect(await run.code()).toBe(0)
  })

  test("Ctrl-C stops a turn that goes on in another process", async () => {
    const run = chat([sleeps, { text: "Never." }], ["--allow", "bash", "Go"])
    await run.until("runs")
    process.kill(run.pid, "SIGKILL")
    await run.code()
    const [session] = run.shown.match(/ses_\w+/)!
    const next = chat([sleeps, { text: "Never." }], ["--allow", "bash", "--session", session])
    await next.until("runs")
    await next.press("\u0003")
    await next.until("stopped:")
    next.type("/exit\r")
    expect(await next.code()).toBe(0)
    expect(next.shown).toContain(`To go on: haft chat --session ${session}`)
  })

  test("/session takes no name: it says how to open another one", async () => {
    const run = chat([])
    await run.until(ready)
    run.type("/session ses_other\r")
    await run.until("/session takes no name")
    await run.until("haft chat --session ses_other")
    run.type("/exit\r")
    expect(await run.code()).toBe(0)
  })

  test.each(["--json", "--ndjson"])("%s is refused: a conversation is no data", async (flag) => {
    const run = chat([], [flag, "Hi"])
    await run.until(`haft run PROMPT ${flag}`)
    expect(await run.code()).toBe(2)
    expect(run.shown).toContain(`Cannot use \\"${flag}\\"`)
  })

  test("pasted lines stay lines, in what is sent and in what is shown; nothing of them is sent before Enter", async () => {
    const run = chat([{ text: "Read." }])
    await run.until(ready)
    // Over a slow line the second half of a line break comes later, and that of the marker at the end.
    run.type("\u001b[200~Look:\r\n```diff\r")
    await pause(120)
    run.type("\n-y\r\n+\tn\u001b\r\n```\u001b[20")
    await pause(120)
    run.type("1~")
    await pause(200)
    run.type(" Why?\r")
    await run.until("  ``` Why?")
    await run.until("Read.")
    run.type("/exit\r")
    expect(await run.code()).toBe(0)
    const { stdout } = await bench.run(["session", "export", /ses_\w+/.exec(run.shown)![0]])
    expect(stdout).toContain(JSON.stringify({ text: "Look:\n```diff\n-y\n+\tn \n``` Why?" }).slice(1, -1))
  })

  test("Ctrl-C clears a paste that the terminal never ends, and what is written then is sent", async () => {
    const run = chat([{ text: "Read." }])
    await run.until(ready)
    run.type("\u001b[200~Look")
    await run.until("Look")
    run.type("\u0003")
    await pause(200)
    run.type("Hello\r")
    await run.until("Read.")
    run.type("/exit\r")
    expect(await run.code()).toBe(0)
    expect(run.shown).not.toContain("LookHello")
  })

  test("words behind a command that takes none are a message", async () => {
    const run = chat([{ text: "Noted." }])
    await run.until(ready)
    run.type("/exit is what I typed before\r")
    await run.until("Noted.")
    run.type("/exit\r")
    expect(await run.code()).toBe(0)
  })

  test("a message that begins with a path is no command", async () => {
    const run = chat([{ text: "It is a file." }, { text: "It has no space." }])
    await run.until(ready)
    run.type("/etc/hosts: what is it?\r")
    await run.until("It is a file.")
    run.type("/tmp is full, why?\r")
    await run.until("It has no space.")
    run.type("/nothing\r")
    await run.until("There is no command /nothing")
    run.type("/exti\r")
    await run.until("There is no command /exti. Did you mean /exit?")
    run.type("/exit\r")
    expect(await run.code()).toBe(0)
  })

  test("pasted lines of which the first is a command are a message", async () => {
    const run = chat([{ text: "It leaves." }, { text: "It is a model." }])
    await run.until(ready)
    run.type("\u001b[200~/exit\nexplain the line above\u001b[201~\r")
    await run.until("It leaves.")
    run.type("\u001b[200~/model nobody:x\nwhat is it?\u001b[201~\r")
    await run.until("It is a model.")
    run.type("\u001b[200~/exit\n\u001b[201~\r")
    expect(await run.code()).toBe(0)
  })

  test.each([
    ["/exit", "/exit\r", 0],
    ["Ctrl-D", "\u0004", 0],
    ["Ctrl-C twice", "\u0003\u0003", 130],
  ])("with %s in the middle of a turn it says which messages were not sent", async (_name, keys, code) => {
    const run = chat([sleeps], ["--allow", "bash", "Go"])
    await run.until("runs")
    run.type("first\u001b[31m\r")
    run.type(`\u001b[200~second\nline\u001b[201~\r`)
    run.type(`${"long ".repeat(100)}\r`)
    await run.until("3 waiting for the end of this turn")
    await pause(100)
    run.type(keys)
    expect(await run.code()).toBe(code)
    const lines = run.shown.split("\n").filter((line) => line.includes("Not sent:"))
    expect(lines).toHaveLength(3)
    expect(lines[0]).toContain("first")
    expect(lines[1]).toContain("second …")
    expect(lines[2]).toContain("long long")
    for (const line of lines) expect(line.length).toBeLessThan(150)
    // The shell's prompt comes on a line of its own.
    expect(run.shown.endsWith("\r\u001b[J")).toBe(true)
  })

  test("on leaving it says how to go on: a command that can be pasted into a shell", async () => {
    const script = bench.write("a model/it's.jsonl", `${JSON.stringify({ text: "One." })}\n`)
    const other = bench.write("other.jsonl", `${JSON.stringify({ text: "Two." })}\n`)
    const flags = ["--model", `script:${script}`, "--base-url", "http://127.0.0.1:9/v1"]
    const run = chat([], [...flags, "Go"])
    await run.until("tokens in")
    run.type("/exit\r")
    expect(await run.code()).toBe(0)
    const [, session] = /session (ses_\w+)/.exec(run.shown)!
    const quoted = `'script:${script.replace("'", "'\\''")}'`
    expect(run.shown).toContain(
      `To go on: haft chat --session ${session} --model ${quoted} --base-url http://127.0.0.1:9/v1`,
    )
    const changed = chat([], [...flags, "--session", session!, "More"])
    await changed.until("tokens in")
    changed.type(`/model script:${other}\r`)
    await changed.until("From now on:")
    changed.type("/exit\r")
    expect(await changed.code()).toBe(0)
    expect(changed.shown).toContain(`To go on: haft chat --session ${session} --model script:${other}`)
  })

  test("where nothing was sent it leaves without a word", async () => {
    const run = chat([])
    await run.until(ready)
    run.type("/exit\r")
    expect(await run.code()).toBe(0)
    expect(run.shown).not.toContain("To go on")
  })

  test("with --session the last message and the last reply are shown, harmless and not too long", async () => {
    const long = `${"much ".repeat(1000)}the end`
    const run = chat([{ text: "First reply." }, { text: `Reply\u001b[2J.\n${long}` }], ["First message"])
    await run.until("First reply.")
    await run.until("tokens in")
    run.type("Second message\r")
    await run.until("the end")
    await run.until("tokens in")
    run.type("/exit\r")
    expect(await run.code()).toBe(0)
    const [, session] = /session (ses_\w+)/.exec(run.shown)!
    const more = chat([], ["--session", "last", "--record", "new.jsonl"])
    await more.until(`haft session replay ${session}`)
    await more.until("> Second message")
    await more.until("Reply\\x1b[2J.")
    more.type("/exit\r")
    expect(await more.code()).toBe(0)
    expect(more.shown).not.toContain("First")
    expect(more.shown).not.toContain("the end")
    expect(more.shown).not.toContain("To go on")
  })

  test("a question of the model is answered in own words", async () => {
    const asks = { calls: [{ name: "question", args: { questions: [{ question: "Which colour?" }] } }] }
    const run = chat([asks, { text: "Thanks." }], ["Ask me"])
    await run.until("Which colour?")
    await run.until("Answer: ")
    await run.press("green")
    await run.press("\r")
    await run.until("Thanks.")
    run.type("/exit\r")
    expect(await run.code()).toBe(0)
  })

  test.each([{ TERM: "xterm" }, { TERM: "dumb" }])("text of the model cannot steer the terminal %j", async (env) => {
    const evil = "\u001b]0;evil\u0007\u001b[31;5m\u009b2Jtext\u202e"
    const run = chat(
      [{ text: evil, calls: [{ name: `x${evil}`, args: {} }] }, { text: "Over." }],
      ["--headless", "Go"],
      env,
    )
    await run.until("Over.")
    run.type("/exit\r")
    expect(await run.code()).toBe(0)
    for (const forbidden of ["\u001b]0;", "\u001b[31;5m", "\u009b", "\u202e", "\u0007"])
      expect(run.shown).not.toContain(forbidden)
    expect(run.shown).toContain("\\x1b]0;evil")
    if (env.TERM === "dumb") expect(run.shown).not.toContain("\u001b")
  })

  test("without a terminal it says what to use", async () => {
    const ran = await bench.run(["chat", "Hi", "--model", "script:x"])
    expect([ran.code, ran.stderr]).toEqual([2, expect.stringContaining("haft run PROMPT")])
  })
})
