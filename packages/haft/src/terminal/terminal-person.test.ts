import { type ChildProcess, execFileSync, spawn } from "node:child_process"
import { once } from "node:events"
import { existsSync, readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest"
import { type SourceCommand, sourceCommand } from "../../test/source-command.js"
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

/** A run at a real terminal: a pseudo terminal made by script(1). */
class TerminalRun {
  shown = ""
  private readonly child: ChildProcess
  private seen = 0

  constructor(words: readonly string[], env: Readonly<Record<string, string>> = {}) {
    const line = [process.execPath, command.program, ...words]
      .map((word) => `'${word.replaceAll("'", "'\\''")}'`)
      .join(" ")
    this.child = spawn("script", ["-qfec", line, "/dev/null"], {
      cwd: bench.work,
      env: { PATH: process.env.PATH, TERM: "xterm", ...bench.env, ...env },
    })
    this.child.stdout!.on("data", (piece) => {
      this.shown += String(piece)
    })
  }

  /** Waits until this text appears after what was waited for before. */
  async until(text: string): Promise<void> {
    for (;;) {
      const at = this.shown.indexOf(text, this.seen)
      if (at !== -1) {
        this.seen = at + text.length
        return
      }
      if (this.child.exitCode !== null) throw new Error(`ended before "${text}":\n${this.shown}`)
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
  }

  type(keys: string): void {
    this.child.stdin!.write(keys)
  }

  async code(): Promise<number | null> {
    if (this.child.exitCode === null) await once(this.child, "close")
    return this.child.exitCode
  }
}

const hasScript = (() => {
  try {
    execFileSync("script", ["--version"], { stdio: "ignore" })
    return true
  } catch {
    console.warn("script(1) is missing: the prompt is not tested at a real terminal")
    return false
  }
})()

const write = ["call", "write", "file_path=src/a.ts", "content=x"]
const ready = "Esc rejects"
const written = () => existsSync(join(bench.work, "src/a.ts"))
const savedAnswers = () => {
  const folder = join(bench.config, "projects")
  return existsSync(folder) ? readdirSync(folder).map((name) => readFileSync(join(folder, name), "utf8")) : []
}

describe.skipIf(!hasScript)("the permission prompt at a terminal", () => {
  test("[C2-69] shows what is asked, why, the effects and every choice, then 1 allows once", async () => {
    const run = new TerminalRun(write)
    await run.until("Permission needed")
    await run.until("Why asked")
    await run.until("fs.write")
    await run.until("Allow once")
    await run.until("Accept edits in this session")
    await run.until("Allow in this session: ")
    await run.until("Always allow in this project: ")
    await run.until("Reject and say why")
    await run.until("Edit the arguments")
    await run.until(ready)
    expect(written()).toBe(false)
    run.type("1")
    expect(await run.code()).toBe(0)
    expect(written()).toBe(true)
    expect(savedAnswers()).toEqual([])
  })

  test.each([
    ["Esc", "\u001b"],
    ["Ctrl-D", "\u0004"],
  ])("%s rejects", async (_name, key) => {
    const run = new TerminalRun(write)
    await run.until(ready)
    run.type(key)
    expect(await run.code()).toBe(6)
    expect(written()).toBe(false)
  })

  test("shows the text that a script of the project really runs", async () => {
    bench.write("package.json", JSON.stringify({ scripts: { test: "node check-everything.js" } }))
    const run = new TerminalRun(["call", "bash", "command=npm test"])
    await run.until("which runs")
    await run.until("node check-everything.js")
    await run.until(ready)
    run.type("4")
    expect(await run.code()).toBe(6)
  })

  test("shows a long command and the rule for it whole", async () => {
    const end = "; touch hidden-behind-the-end"
    const line = `python3 -c 'print("${"x".repeat(300)}")'`
    const run = new TerminalRun(["call", "bash", `command=${line}${end}`])
    await run.until(end)
    await run.until(ready)
    run.type("\u001b")
    expect(await run.code()).toBe(6)
    const ruled = new TerminalRun(["call", "bash", `command=${line}`])
    await ruled.until(`Always allow in this project: bash(${line})`)
    await ruled.until(ready)
    ruled.type("\u001b")
    expect(await ruled.code()).toBe(6)
  })

  test("says how much of a text is left out, and d shows all of it, also of a script", async () => {
    const steps = Array.from({ length: 30 }, (_, index) => `\techo step ${index}`).join("\n")
    bench.write("Makefile", `all:\n${steps}\n`)
    const run = new TerminalRun(["call", "bash", "command=make all"])
    await run.until("which runs: 31 lines")
    await run.until("more characters are not shown: d shows all")
    expect(run.shown).not.toContain("step 29")
    await run.until(ready)
    run.type("d")
    await run.until("step 29")
    await run.until(ready)
    run.type("\u001b")
    expect(await run.code()).toBe(6)
    const long = new TerminalRun(["call", "bash", `command=echo ${"x".repeat(3000)} > src/a`])
    await long.until("… 1013 more characters are not shown: d shows all")
    await long.until(ready)
    long.type("\u001b")
    expect(await long.code()).toBe(6)
  })

  test("Enter and unknown keys choose nothing, arrow keys do not reject", async () => {
    const run = new TerminalRun(write)
    await run.until(ready)
    run.type("\r")
    await run.until(ready)
    run.type("\u001b[A")
    run.type("9")
    await run.until("Press a number")
    await run.until(ready)
    expect(written()).toBe(false)
    run.type("1")
    expect(await run.code()).toBe(0)
  })

  test("Ctrl-C interrupts: exit 130 and nothing is written", async () => {
    const run = new TerminalRun(write)
    await run.until(ready)
    run.type("\u0003")
    expect(await run.code()).toBe(130)
    expect(written()).toBe(false)
  })

  test("reject with a reason passes the reason on", async () => {
    const run = new TerminalRun([...write, "--json"])
    await run.until(ready)
    run.type("6")
    await run.until("Why: ")
    run.type("use lib instead\r")
    await run.until("a person rejected it: use lib instead")
    expect(await run.code()).toBe(6)
  })

  test("[C2-59] the project answer is kept outside the workspace and settles the next call", async () => {
    const run = new TerminalRun(write)
    await run.until(ready)
    run.type("4")
    expect(await run.code()).toBe(0)
    expect(readdirSync(bench.work)).toEqual(["src"])
    expect(savedAnswers()).toHaveLength(1)
    expect((await bench.run(["call", "write", "file_path=src/a.ts", "content=y"])).code).toBe(0)
  })

  test("the session answer holds for that session only", async () => {
    const run = new TerminalRun([...write, "--json"])
    await run.until(ready)
    run.type("3")
    await run.until("session_id")
    expect(await run.code()).toBe(0)
    const session = /ses_[0-9a-zA-Z]+/.exec(run.shown.slice(run.shown.indexOf("session_id")))![0]
    expect((await bench.run(["call", "write", "file_path=src/a.ts", "content=y", "--session", session])).code).toBe(0)
    expect((await bench.run(["call", "write", "file_path=src/a.ts", "content=z"])).code).toBe(6)
  })

  test("e edits the rule before it is saved", async () => {
    const run = new TerminalRun(write)
    await run.until(ready)
    run.type("e")
    await run.until("Rule: ")
    run.type("\u0015fs.write(src/*.ts)\r")
    await run.until("Always allow in this project: fs.write(src/*.ts)")
    await run.until(ready)
    run.type("4")
    expect(await run.code()).toBe(0)
    expect(savedAnswers()[0]).toContain("src/*.ts")
  })

  test("an edited rule that does not cover the call is refused, and the proposed one stays", async () => {
    const run = new TerminalRun(write)
    await run.until(ready)
    run.type("e")
    await run.until("Rule: ")
    run.type("\u0015fs.write(elsewhere/**)\r")
    await run.until("Cannot save fs.write(elsewhere/**): it does not cover src/a.ts")
    await run.until("Always allow in this project: fs.write(src/**)")
    await run.until(ready)
    run.type("\u001b")
    expect(await run.code()).toBe(6)
    expect(savedAnswers()).toEqual([])
  })

  test("edited arguments are the ones that run", async () => {
    const run = new TerminalRun(write)
    await run.until(ready)
    run.type("7")
    await run.until("Arguments: ")
    run.type('\u0015{"file_path":"b.ts","content":"edited"}\r')
    await run.until(ready)
    run.type("1")
    expect(await run.code()).toBe(0)
    expect(bench.read("b.ts")).toBe("edited")
    expect(written()).toBe(false)
  })

  test("the arguments can be edited in $EDITOR", async () => {
    const editor = bench.write(
      "../editor.sh",
      '#!/bin/sh\nprintf \'{"file_path":"c.ts","content":"by editor"}\' > "$1"\n',
    )
    execFileSync("chmod", ["+x", editor])
    const run = new TerminalRun(write, { EDITOR: editor })
    await run.until(ready)
    run.type("7")
    await run.until(ready)
    run.type("1")
    expect(await run.code()).toBe(0)
    expect(bench.read("c.ts")).toBe("by editor")
  })

  test("d shows the ladder and asks again", async () => {
    const run = new TerminalRun(write)
    await run.until(ready)
    run.type("d")
    await run.until("Ladder")
    await run.until(ready)
    run.type("5")
    expect(await run.code()).toBe(6)
  })

  test("HAFT_ACCESSIBLE asks for lines", async () => {
    const run = new TerminalRun(write, { HAFT_ACCESSIBLE: "1" })
    await run.until("Answer: ")
    run.type("1\r")
    expect(await run.code()).toBe(0)
    expect(written()).toBe(true)
  })

  test("a protected file can be allowed once and nothing more", async () => {
    const run = new TerminalRun(["call", "write", "file_path=.npmrc", "content=x"])
    await run.until(ready)
    expect(run.shown).not.toContain("Always allow")
    run.type("1")
    expect(await run.code()).toBe(0)
  })

  test("arguments cannot steer the terminal", async () => {
    const run = new TerminalRun([
      "call",
      "write",
      "file_path=a\u202etxt",
      "content=one\ntwo\u001b]0;evil\u0007\u001b[2J",
    ])
    await run.until(ready)
    expect(run.shown).not.toContain("\u001b]0;evil")
    expect(run.shown).not.toContain("\u001b[2J")
    expect(run.shown).not.toContain("\u202e")
    run.type("\u001b")
    expect(await run.code()).toBe(6)
  })

  test("--headless does not ask even at a terminal", async () => {
    const run = new TerminalRun([...write, "--headless"])
    expect(await run.code()).toBe(6)
    expect(run.shown).not.toContain("Permission needed")
  })

  test("colour is drawn at a terminal, and not with NO_COLOR or a dumb one", async () => {
    const shown = async (env: Record<string, string>) => {
      const run = new TerminalRun(["tools"], env)
      await run.code()
      return run.shown.includes("\u001b[1m")
    }
    expect([await shown({}), await shown({ NO_COLOR: "1" }), await shown({ TERM: "dumb" })]).toEqual([
      true,
      false,
      false,
    ])
  })

  test("content with escape sequences is written out at a terminal and untouched in a pipe", async () => {
    bench.write("e.txt", "a\u001b[2Jb\n")
    const run = new TerminalRun(["call", "read", "file_path=e.txt"])
    await run.code()
    expect(run.shown).toContain("\\x1b[2J")
    expect((await bench.run(["call", "read", "file_path=e.txt"])).stdout).toContain("\u001b[2J")
  })
})
