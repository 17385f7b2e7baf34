import { execFile, execFileSync, spawn } from "node:child_process"
import { once } from "node:events"
import { existsSync } from "node:fs"
import { join } from "node:path"
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest"
import { endOf, type Ran, type SourceCommand, sourceCommand, startCommand } from "../../test/source-command.js"
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

describe("the command as a process", () => {
  test("prints an envelope and nothing else", async () => {
    bench.write("a.txt", "TODO\n")
    const { code, stdout, stderr } = await run(["call", "grep", "pattern=TODO", "--json"])
    expect([code, stderr]).toEqual([0, ""])
    expect(JSON.parse(stdout)).toMatchObject({ type: "output", data: { match_count: 1 } })
  })

  test("reads arguments from standard input", async () => {
    const { code } = await run(["call", "write", "--args", "-", "--yes"], '{"file_path":"a.txt","content":"x"}')
    expect(code).toBe(0)
    expect(bench.read("a.txt")).toBe("x")
  })

  test("a reader that goes away is no failure", async () => {
    for (let index = 0; index < 900; index++) bench.write(`many/${"n".repeat(100)}${index}`, "")
    const pipe = `"${process.execPath}" "${command.program}" call glob 'pattern=many/**' --json | head -c 10`
    const stderr = await new Promise<string>((resolve) => {
      execFile(
        "bash",
        ["-c", pipe],
        { cwd: bench.work, env: { PATH: process.env.PATH, ...bench.env } },
        (_error, _out, err) => resolve(err),
      )
    })
    expect(stderr).toBe("")
  })

  test("in a folder that was removed it says so; help, the version and the tools are there all the same", async () => {
    const inRemoved = (...words: readonly string[]) => {
      const line = `mkdir gone; cd gone; rmdir ../gone; exec "${process.execPath}" "${command.program}" ${words.join(" ")}`
      const env = { PATH: process.env.PATH, ...bench.env }
      return endOf(spawn("bash", ["-c", line], { cwd: bench.work, env }))
    }
    for (const words of [["call", "ls"], ["ls"], ["session", "list"], ["config", "get", "model"], ["doctor"]]) {
      const { code, stdout, stderr } = await inRemoved(...words)
      expect([words, code, stdout]).toEqual([words, 2, ""])
      expect(stderr).toMatch(/^error: Cannot run here: the current directory was removed\n {2}Go to another [^\n]+\n$/)
    }
    const json = await inRemoved("ls", "--json")
    expect(JSON.parse(json.stdout)).toMatchObject({ type: "error", metadata: { error_code: "invalid_args" } })
    for (const words of [["--help"], ["help", "call"], ["--version"], ["tools"], ["read", "--help"]])
      expect(await inRemoved(...words)).toMatchObject({ code: 0, stderr: "" })
  })

  test("what is printed arrives whole and in order, in a file, in a slow reader and across many small pieces", async () => {
    const text = Array.from({ length: 40_000 }, (_, index) => `line ${index}\n`).join("")
    bench.write("long.txt", text)
    bench.write("script.jsonl", `${JSON.stringify({ text })}\n`)
    const shell = (line: string) =>
      execFileSync("bash", ["-c", line], {
        cwd: bench.work,
        env: { PATH: process.env.PATH, ...bench.env, HAFT: `"${process.execPath}" "${command.program}"` },
        encoding: "utf8",
        maxBuffer: 2 ** 26,
      })
    const words = "eval $HAFT run Say --model script:script.jsonl"
    expect(shell(`${words} 2>/dev/null | (sleep 0.3; cat)`)).toBe(text)
    const read = JSON.parse(shell("eval $HAFT read long.txt --json | (sleep 0.3; cat)")) as {
      data: { content: string }
    }
    expect(read.data.content.length).toBeGreaterThan(16 * 1024)
    shell(`${words} >said.txt 2>/dev/null`)
    expect(bench.read("said.txt")).toBe(text)
    expect(shell("echo before; eval $HAFT --help | tail -1; echo behind").split("\n").at(-2)).toBe("behind")
  })

  test("SIGINT aborts the call and exits 130", async () => {
    const child = start(["call", "write", "file_path=a.txt", "content=-", "--yes"])
    // More than a pipe holds: when it is written, the process is up and reads, and waits for the rest.
    await new Promise((resolve) => child.stdin.write("x".repeat(1_000_000), resolve))
    child.kill("SIGINT")
    const [code] = (await once(child, "close")) as [number | null]
    expect(code).toBe(130)
    expect(existsSync(join(bench.work, "a.txt"))).toBe(false)
  })

  test("two processes share one journal", async () => {
    const calls = await Promise.all(
      ["a", "b", "c"].map((name) => run(["call", "write", `file_path=${name}`, "content=1", "--yes"])),
    )
    expect(calls.map(({ code }) => code)).toEqual([0, 0, 0])
    const sessions = JSON.parse((await run(["session", "list", "--json"])).stdout) as { id: string }[]
    expect(sessions).toHaveLength(3)
    for (const { id } of sessions) expect((await run(["session", "verify", id])).code).toBe(0)
  })
})
