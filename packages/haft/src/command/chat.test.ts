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
  const argv = [process.execPath, command.program, "chat", "--model", `script:${script}`, ...words]
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

  test("pasted lines stay lines, in what is sent and in what is shown; nothing of them is sent before Enter", async () => {
    const run = chat([{ text: "Read." }])
    await run.until(ready)
    // The second half of a line break comes later.
    run.type("\u001b[200~Look:\r\n```diff\r")
    await pause(10)
    run.type("\n-y\r\n+\tn\u001b\r\n```\u001b[201~")
    await pause(200)
    run.type(" Why?\r")
    await run.until("  ``` Why?")
    await run.until("Read.")
    run.type("/exit\r")
    expect(await run.code()).toBe(0)
    const { stdout } = await bench.run(["session", "export", /ses_\w+/.exec(run.shown)![0]])
    expect(stdout).toContain(JSON.stringify({ text: "Look:\n```diff\n-y\n+\tn \n``` Why?" }).slice(1, -1))
  })

  test("a message that begins with a path is no command", async () => {
    const run = chat([{ text: "It is a file." }])
    await run.until(ready)
    run.type("/etc/hosts: what is it?\r")
    await run.until("It is a file.")
    run.type("/nothing\r")
    await run.until("There is no command /nothing")
    run.type("/exit\r")
    expect(await run.code()).toBe(0)
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
