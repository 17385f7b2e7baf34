import { execFileSync } from "node:child_process"
import { chmodSync, existsSync, readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest"
import { type SourceCommand, sourceCommand } from "../../test/source-command.js"
import { pause, TerminalRun } from "../../test/terminal-run.js"
import { type Workbench, workbench } from "../../test/workbench.js"
import { widthOf } from "./columns.js"

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

interface RunOptions {
  readonly env?: Readonly<Record<string, string>>
  readonly columns?: number
}

function start(words: readonly string[], options: RunOptions = {}): TerminalRun {
  return startArgv([process.execPath, command.program, ...words], options)
}

/** A line of a shell at the terminal, in which `haft` is the command. */
function startShell(line: string, options: RunOptions = {}): TerminalRun {
  return startArgv(["sh", "-c", `haft() { "${process.execPath}" "${command.program}" "$@"; }; ${line}`], options)
}

function startArgv(argv: readonly string[], { env = {}, columns }: RunOptions): TerminalRun {
  return new TerminalRun(argv, {
    ...{ cwd: bench.work, env: { ...bench.env, ...env } },
    ...(columns === undefined ? {} : { columns }),
  })
}

function editor(name: string, script: string): string {
  const file = bench.write(`../${name}`, `#!/bin/sh\n${script}\n`)
  chmodSync(file, 0o755)
  return file
}

/** What a person sees: colours and the terminal's own switches taken away. */
function plain(shown: string): string {
  return shown.replace(/\u001b\[[0-9;?]*[A-Za-z]/g, "").replaceAll("\r\n", "\n")
}

const write = ["call", "write", "file_path=src/a.ts", "content=x"]
/** The same in a session that goes on. */
async function writeInSession(): Promise<readonly string[]> {
  const { stdout } = await bench.run(["call", "ls", "--json"])
  return [...write, "--session", (JSON.parse(stdout) as { metadata: { session_id: string } }).metadata.session_id]
}
// Words of the last line of every question.
const ready = "reject\r\n\u001b[?2004h"
const hint = "Enter and pasted text choose nothing"
const written = () => existsSync(join(bench.work, "src/a.ts"))
// Every choice is written down at once; what it leads to may take its time.
const hasChosen = (run: TerminalRun) => /\n> (?:[a-z?]|Esc) {2}/.test(plain(run.shown))
const savedAnswers = () => {
  const folder = join(bench.config, "projects")
  return existsSync(folder) ? readdirSync(folder).map((name) => readFileSync(join(folder, name), "utf8")) : []
}

describe("the permission prompt at a terminal", () => {
  test("[C2-69] shows what is asked, why, the effects and every choice, then y allows once", async () => {
    const run = start(await writeInSession())
    for (const words of ["Permission needed", "Why asked", "fs.write", "allow once", "accept edits in this session"])
      await run.until(words)
    for (const words of ["allow in this session: ", "always allow in this project: ", "reject and say why"])
      await run.until(words)
    await run.until("edit the arguments")
    await run.until(ready)
    expect(written()).toBe(false)
    await run.press("y")
    expect(await run.code()).toBe(0)
    expect(written()).toBe(true)
    expect(savedAnswers()).toEqual([])
  })

  test.each([
    ["Esc", "\u001b"],
    ["Ctrl-D", "\u0004"],
    ["n", "n"],
  ])("%s rejects", async (_name, key) => {
    const run = start(write)
    await run.until(ready)
    await run.press(key)
    expect(await run.code()).toBe(6)
    expect(written()).toBe(false)
  })

  test("a choice that is not offered is left out, its letter does nothing, and no other takes its place", async () => {
    const run = start(["call", "write", "file_path=.npmrc", "content=x"])
    await run.until(ready)
    expect(run.shown).not.toContain("allow in this project")
    expect(run.shown).not.toContain("allow in this session")
    for (const key of ["s", "p", "c", "1", "3"]) {
      await run.press(key)
      if (key === "s") await run.until(hint)
    }
    expect(existsSync(join(bench.work, ".npmrc"))).toBe(false)
    await run.press("y")
    expect(await run.code()).toBe(0)
    expect(savedAnswers()).toEqual([])
  })

  test("arguments cannot steer the terminal, nor can they in an editor", async () => {
    const run = start(["call", "write", "file_path=a\u202etxt", "content=one\ntwo\u001b]0;evil\u0007\u001b[2J\u009b2J"])
    await run.until(ready)
    await run.press("d")
    await run.until(ready)
    await run.press("e")
    await run.until("Arguments: ")
    await run.until('"}')
    for (const evil of ["\u001b]0;evil", "\u001b[2J", "\u202e", "\u009b"]) expect(run.shown).not.toContain(evil)
    expect(run.shown).toContain("\\u202e")
    run.type("\u001b")
    await run.until(ready)
    await run.press("\u001b")
    expect(await run.code()).toBe(6)
  })

  test("--headless does not ask even at a terminal", async () => {
    const run = start([...write, "--headless"])
    expect(await run.code()).toBe(6)
    expect(run.shown).not.toContain("Permission needed")
  })

  test("d shows everything, ? shows the ladder, and both ask again", async () => {
    const run = start(write)
    await run.until(ready)
    await run.press("d")
    await run.until('"content": "x"')
    await run.until(ready)
    await run.press("?")
    await run.until("Ladder")
    await run.until(ready)
    await run.press("n")
    expect(await run.code()).toBe(6)
  })
})

describe("keys that were not meant for the question", () => {
  test("a key pressed before the question appears answers nothing", async () => {
    const run = startShell(`sleep 1; haft ${write.join(" ")}`)
    await pause(300)
    run.type("y")
    await run.until(ready)
    await pause(600)
    expect(hasChosen(run)).toBe(false)
    run.type("\u001b")
    expect(await run.code()).toBe(6)
    expect(written()).toBe(false)
  })

  test("keys count only after a quarter of a second without one", async () => {
    let run = start(write)
    await run.until(ready)
    // On a busy machine there may be such a pause, after which a key rightly counts: then this begins again.
    for (let attempt = 1; !(await typesWithoutPause(run)) && attempt < 20; attempt += 1) {
      run.close()
      run = start(write)
      await run.until(ready)
    }
    expect(hasChosen(run)).toBe(false)
    expect(run.shown).not.toContain(hint)
    await run.press("y")
    expect(await run.code()).toBe(0)
  })

  /** Types a key every tenth of a second; whether no pause was nearly long enough for a key to count. */
  async function typesWithoutPause(run: TerminalRun): Promise<boolean> {
    let longestMs = 0
    for (let count = 0; count < 12; count += 1) {
      const sinceMs = performance.now()
      run.type("y")
      await pause(100)
      longestMs = Math.max(longestMs, performance.now() - sinceMs)
    }
    return longestMs < 200
  }

  test("Enter, pasted text and letters that are no choice choose nothing, and that is said once", async () => {
    const nothing = {
      Enter: "\r",
      "many Enters": "\r\r\r",
      "a marked paste of one letter": "\u001b[200~y\u001b[201~",
      "a marked paste of lines": "\u001b[200~y\ry\r\u001b[201~",
      "a paste that the terminal does not mark": "yes\r",
      "a letter with Enter at once": "y\r",
      "a capital letter": "Y",
      "a letter of another script": "у",
      "a number": "1",
      arrow: "\u001b[A",
      "function key": "\u001b[15~",
      "Alt with y": "\u001by",
      Home: "\u001bOH",
    }
    const run = start(write)
    await run.until(ready)
    for (const [name, keys] of Object.entries(nothing)) {
      await run.press(keys)
      await pause(200)
      expect([name, hasChosen(run)]).toEqual([name, false])
    }
    expect(run.shown.split(hint)).toHaveLength(2)
    await run.press("y")
    expect(await run.code()).toBe(0)
  })

  test("a long paste with pauses chooses nothing", async () => {
    const run = start(write)
    await run.until(ready)
    await run.press("\u001b[200~some words ")
    await pause(400)
    run.type("y")
    await pause(400)
    run.type("\u001b[201~")
    await run.until(hint)
    expect(hasChosen(run)).toBe(false)
    await run.press("\u001b")
    expect(await run.code()).toBe(6)
  })

  test("a character that arrives in pieces is one character", async () => {
    const run = start(write)
    await run.until(ready)
    await run.press("r")
    await run.until("Why: ")
    for (const byte of Buffer.from("größe 日本 👩‍👩‍👧 ok")) {
      run.typeBytes(Buffer.from([byte]))
      await pause(5)
    }
    run.type("\r")
    await run.until("a person rejected it: größe 日本 👩‍👩‍👧 ok")
    expect(await run.code()).toBe(6)
  })

  test("the question of an agent is not answered by what was typed before", async () => {
    const question = JSON.stringify({ questions: [{ question: "Which?", options: [{ label: "A" }, { label: "B" }] }] })
    const run = startShell(`sleep 1; haft call question --args '${question}'`)
    await pause(300)
    run.type("1\r")
    await run.until("Number, or own words: ")
    await pause(300)
    run.type("2\r")
    expect(await run.code()).toBe(0)
    expect(plain(run.shown)).toContain("B")
    const declined = start(["call", "question", "--args", question])
    await declined.until("Number, or own words: ")
    declined.type("\u001b")
    await declined.until("the person declined to answer")
    expect(await declined.code()).toBe(6)
  })

  test("trust is not given by what was typed before", async () => {
    bench.write("haft.jsonc", '{ "mode": "auto" }')
    const run = startShell("sleep 1; haft trust")
    await pause(300)
    run.type("yes\r")
    await run.until("Type yes: ")
    await pause(300)
    run.type("\r")
    await run.until("it was not confirmed")
    expect(await run.code()).toBe(6)
  })
})

describe("Esc leaves every editor, back to the question", () => {
  test("the reason, the arguments and the rule", async () => {
    const run = start(await writeInSession())
    for (const [key, prompt] of [
      ["r", "Why: "],
      ["e", "Arguments: "],
      ["c", "Rule: "],
    ] as const) {
      await run.until("allow in this session: fs.write(src/**)")
      await run.until(ready)
      await run.press(key)
      await run.until(prompt)
      run.type("xyz")
      await pause(100)
      run.type("\u001b")
    }
    await run.until("allow in this session: fs.write(src/**)")
    await run.until(ready)
    expect(written()).toBe(false)
    await run.press("y")
    expect(await run.code()).toBe(0)
    expect(bench.read("src/a.ts")).toBe("x")
  })

  test("an empty reason goes back too, and a reason is passed on", async () => {
    const run = start([...write, "--json"])
    await run.until(ready)
    await run.press("r")
    await run.until("Why: ")
    run.type("\r")
    await run.until(ready)
    await run.press("r")
    await run.until("Why: ")
    // Pasted line breaks do not end the line.
    run.type("\u001b[200~use lib\rinstead\u001b[201~")
    await pause(200)
    run.type("\r")
    await run.until("a person rejected it: use lib instead")
    expect(await run.code()).toBe(6)
  })
})

describe("answers", () => {
  test("[C2-59] the project answer is kept outside the workspace and settles the next call", async () => {
    const run = start(write)
    await run.until(ready)
    await run.press("p")
    expect(await run.code()).toBe(0)
    expect(readdirSync(bench.work)).toEqual(["src"])
    expect(savedAnswers()).toHaveLength(1)
    expect((await bench.run(["call", "write", "file_path=src/a.ts", "content=y"])).code).toBe(0)
  })

  test("the session answer holds for that session only", async () => {
    const words = await writeInSession()
    const run = start(words)
    await run.until(ready)
    await run.press("s")
    expect(await run.code()).toBe(0)
    expect((await bench.run(words)).code).toBe(0)
    expect((await bench.run(write)).code).toBe(6)
  })

  test("what holds for the session is offered: calls at one terminal are one session", async () => {
    const run = start(write)
    await run.until(ready)
    expect(plain(run.shown)).toContain("in this session")
    await run.press("s")
    expect(await run.code()).toBe(0)
    expect([hasChosen(run), written()]).toEqual([true, true])
  })

  test("c changes the rule before it is saved", async () => {
    const run = start(write)
    await run.until(ready)
    await run.press("c")
    await run.until("Rule: ")
    run.type("\u0015fs.write(src/*.ts)\r")
    await run.until("always allow in this project: fs.write(src/*.ts)")
    await run.until(ready)
    await run.press("p")
    expect(await run.code()).toBe(0)
    expect(savedAnswers()[0]).toContain("src/*.ts")
  })

  test("a changed rule that does not cover the call is refused, and the proposed one stays", async () => {
    const run = start(write)
    await run.until(ready)
    await run.press("c")
    await run.until("Rule: ")
    run.type("\u0015fs.write(elsewhere/**)\r")
    await run.until("Cannot save fs.write(elsewhere/**): it does not cover src/a.ts")
    await run.until("always allow in this project: fs.write(src/**)")
    await run.until(ready)
    await run.press("\u001b")
    expect(await run.code()).toBe(6)
    expect(savedAnswers()).toEqual([])
  })

  test("edited arguments are the ones that run", async () => {
    const run = start(write)
    await run.until(ready)
    await run.press("e")
    await run.until("Arguments: ")
    run.type('\u0015{"file_path":"b.ts","content":\r')
    await run.until("Not JSON")
    await run.until("edit again")
    await run.press("e")
    await run.until("Arguments: ")
    run.type('"edited"}\r')
    await run.until("Permission needed")
    await run.until(ready)
    await run.press("y")
    expect(await run.code()).toBe(0)
    expect(bench.read("b.ts")).toBe("edited")
    expect(written()).toBe(false)
  })

  test("HAFT_ACCESSIBLE asks for lines: one letter answers, a paste or an empty line does not", async () => {
    const run = startShell(`sleep 1; haft ${write.join(" ")}`, { env: { HAFT_ACCESSIBLE: "1" } })
    await pause(300)
    run.type("y\r")
    for (const line of ["\r", "\u001b[200~y\u001b[201~\r", "yes\r"]) {
      await run.until("Answer: ")
      run.type(line)
    }
    await run.until("Answer: ")
    run.type("r\r")
    await run.until("Why: ")
    run.type("\u001b\r")
    await run.until("Answer: ")
    expect(written()).toBe(false)
    run.type("y\r")
    expect(await run.code()).toBe(0)
    expect(written()).toBe(true)
  })
})

describe("$EDITOR for the arguments", () => {
  const edits = (path: string, text: string) => `printf '{"file_path":"${path}","content":"${text}"}' > "$1"`

  test("VISUAL comes before EDITOR, and both may hold options in quotes", async () => {
    const visual = editor("visual.sh", `[ "$1" = "two words" ] && shift && ${edits("c.ts", "by visual")}`)
    const run = start(write, { env: { VISUAL: `${visual} 'two words'`, EDITOR: "false" } })
    await run.until(ready)
    await run.press("e")
    await run.until("Permission needed")
    await run.until(ready)
    await run.press("y")
    expect(await run.code()).toBe(0)
    expect(bench.read("c.ts")).toBe("by visual")
  })

  test("it has the terminal on every side when standard input and output are pipes", async () => {
    const file = editor("tty.sh", `test -t 0 && test -t 1 && test -t 2 && ${edits("d.ts", "at a terminal")}`)
    const run = startShell("echo piped | haft call write file_path=src/a.ts content=- --json | cat > out.json", {
      env: { EDITOR: file },
    })
    await run.until(ready)
    await run.press("e")
    await run.until("Permission needed")
    await run.until(ready)
    await run.press("y")
    expect(await run.code()).toBe(0)
    expect(bench.read("d.ts")).toBe("at a terminal")
    expect(JSON.parse(bench.read("out.json"))).toMatchObject({ type: "output" })
  })

  test("one that changes nothing, fails or breaks the terminal leads back to the question", async () => {
    const broken = editor("broken.sh", "stty raw -echo; kill -9 $$")
    for (const value of ["true", "false", "no-such-editor", broken]) {
      const run = startShell(`stty -g; haft ${write.join(" ")}; stty -g`, { env: { EDITOR: value } })
      await run.until(ready)
      await run.press("e")
      await run.until("allow once")
      await run.until("?2004h")
      await run.press("n")
      expect(await run.code()).toBe(0)
      expect(written()).toBe(false)
      const modes = plain(run.shown)
        .split(/\s+/)
        .filter((word) => /^[0-9a-f]+(:[0-9a-f]+){10,}$/.test(word))
      expect(modes).toHaveLength(2)
      expect(modes[0]).toBe(modes[1])
    }
  })
})

describe("standard streams that are no terminal", () => {
  test("what comes through a pipe is data, and the person answers at the terminal", async () => {
    const run = startShell("printf 'y\\ny\\n' | haft call write file_path=src/a.ts content=-")
    await run.until(ready)
    await pause(600)
    expect(hasChosen(run)).toBe(false)
    run.type("y")
    expect(await run.code()).toBe(0)
    expect(bench.read("src/a.ts")).toBe("y\ny\n")
  })

  test("a pipe that nobody reads answers nothing", async () => {
    const run = startShell(`yes | haft ${write.join(" ")}`)
    await run.until(ready)
    await pause(600)
    expect(hasChosen(run)).toBe(false)
    run.type("n")
    expect(await run.code()).toBe(6)
  })

  test.each([
    [
      "a pipe, and no terminal belongs to the process",
      `printf 'y\\ny\\n' | setsid -w "$NODE" "$HAFT" ${write.join(" ")}`,
    ],
    ["nothing", `haft ${write.join(" ")} < /dev/null`],
    ["closed", `haft ${write.join(" ")} <&-`],
    ["a keyboard, but nobody would see the question", `haft ${write.join(" ")} 2> err; code=$?; cat err; exit $code`],
  ])("nobody is asked: %s", async (_name, line) => {
    const run = startShell(line, { env: { NODE: process.execPath, HAFT: command.program } })
    expect(await run.code()).toBe(6)
    expect(run.shown).not.toContain("Permission needed")
    expect(run.shown).toContain("nobody is here to ask")
    expect(written()).toBe(false)
  })
})

describe("the terminal afterwards", () => {
  const modesOf = (run: TerminalRun) => {
    const modes = plain(run.shown)
      .split(/\s+/)
      .filter((word) => /^[0-9a-f]+(:[0-9a-f]+){10,}$/.test(word))
    expect(modes).toHaveLength(2)
    return modes
  }
  const pastesMarked = (run: TerminalRun) =>
    run.shown.lastIndexOf("\u001b[?2004h") > run.shown.lastIndexOf("\u001b[?2004l")

  test.each([
    ["an answer", (run: TerminalRun) => run.type("y"), 0],
    ["Esc", (run: TerminalRun) => run.type("\u001b"), 6],
    ["Ctrl-C", (run: TerminalRun) => run.type("\u0003"), 130],
    [
      "Ctrl-C in an editor",
      async (run: TerminalRun) => {
        run.type("r")
        await run.until("Why: ")
        run.type("\u0003")
      },
      130,
    ],
    ["SIGTERM", () => signalled("SIGTERM"), 130],
    [
      "SIGTERM twice",
      async () => {
        signalled("SIGTERM")
        signalled("SIGTERM")
      },
      undefined,
    ],
    ["SIGINT", () => signalled("SIGINT"), 130],
    ["SIGHUP", () => signalled("SIGHUP"), 130],
  ])("is as before: after %s", async (name, end, code) => {
    const run = startShell(`stty -g; haft ${write.join(" ")}; echo code=$?; stty -g`)
    await run.until(ready)
    await pause(600)
    await end(run)
    await run.until("code=")
    await run.code()
    const [before, after] = modesOf(run)
    expect(after).toBe(before)
    expect(pastesMarked(run)).toBe(false)
    if (code !== undefined) expect(run.shown).toContain(`code=${code}`)
    expect(written()).toBe(name === "an answer")
  })

  /** Sends a signal to the command that runs in this test's workspace. */
  function signalled(signal: NodeJS.Signals): void {
    const lines = execFileSync("ps", ["-eo", "pid,args"], { encoding: "utf8" }).split("\n")
    const own = lines.filter((line) => line.includes(command.program) && !line.includes("sh -c"))
    for (const line of own) process.kill(Number.parseInt(line, 10), signal)
  }

  test("a terminal that is closed answers nothing, and the process ends", async () => {
    const run = start(write)
    await run.until(ready)
    await pause(600)
    const { pid } = run
    run.close()
    await expect.poll(() => existsSync(`/proc/${pid}`), { timeout: 10_000 }).toBe(false)
    expect(written()).toBe(false)
  })
})

describe("the width of the terminal", () => {
  const long = `printf 'größe 日本語のテキスト ${"x".repeat(130)}' > ausgabe/${"sehr-langer-name-".repeat(4)}.txt; touch hidden-behind-the-end`

  test.each([20, 40, 80, 120])("at %s columns no line is wider, and nothing is lost", async (columns) => {
    const run = start(["call", "bash", `command=${long}`], { columns })
    await run.until(ready)
    for (const key of ["d", "?"]) {
      await run.press(key)
      await run.until(ready)
    }
    await run.press("n")
    expect(await run.code()).toBe(6)
    const question = plain(run.shown).split("error:")[0]!
    for (const line of question.split("\n")) expect([line, widthOf(line) <= columns]).toEqual([line, true])
    expect(question.replace(/[\s|]/g, "")).toContain(long.replace(/[\s|]/g, ""))
  })

  test("words wrap at 40 columns and are not broken", async () => {
    const run = start(await writeInSession(), { columns: 40 })
    await run.until(ready)
    await run.press("n")
    await run.code()
    const shown = plain(run.shown)
    for (const words of ["accept edits in this session", "reject and say why", "edit the arguments"])
      expect(shown).toContain(words)
  })

  test("a terminal that gets another width gets the question again", async () => {
    const run = start(write, { columns: 100 })
    await run.until(ready)
    for (const columns of [90, 60, 40]) run.resize(columns)
    await run.until("Permission needed")
    await run.until("explain")
    await pause(600)
    const again = plain(run.shown).slice(plain(run.shown).lastIndexOf("Permission needed"))
    for (const line of again.split("\n")) expect([line, widthOf(line) <= 40]).toEqual([line, true])
    expect(run.shown.split("Permission needed")).toHaveLength(3)
    run.type("y")
    expect(await run.code()).toBe(0)
  })

  test("shows a long command and the rule for it whole", async () => {
    const line = `python3 -c 'print("${"x".repeat(300)}")'`
    const run = start(["call", "bash", `command=${line}`])
    await run.until(ready)
    await run.press("\u001b")
    expect(await run.code()).toBe(6)
    expect(plain(run.shown).replace(/\s/g, "")).toContain(`alwaysallowinthisproject:bash(${line.replace(/\s/g, "")})`)
  })
})

test("shows what a write would lose as a diff, its first lines at once and all of them with d", async () => {
  const lines = Array.from({ length: 40 }, (_, index) => `line ${index + 1}\n`)
  bench.write("src/a.ts", lines.join(""))
  const run = start(["call", "write", "file_path=src/a.ts", `content=${lines.slice(30).join("")}new\n`])
  await run.until(ready)
  const shown = plain(run.shown)
  expect(shown).toContain("replace src/a.ts   311 bytes -> 84 bytes   lines: 1 added, 30 removed")
  expect(shown).toContain("  | @@ line 1\n  | -line 1\n  | -line 2\n")
  expect(shown).toContain("  | -line 19\n  … 19 more lines: d shows all")
  await run.press("d")
  await run.until("-line 30")
  await run.until("+new")
  await run.until(ready)
  await run.press("n")
  expect(await run.code()).toBe(6)
  expect(bench.read("src/a.ts")).toBe(lines.join(""))
})

test("shows how a command would be confined, and where a request would go", async () => {
  const run = start(["call", "bash", "command=make all > log"])
  await run.until("Sandbox")
  await run.until("the workspace can be written, no network")
  await run.until(ready)
  await run.press("n")
  expect(await run.code()).toBe(6)
  const fetching = start(["call", "web_fetch", "url=https://docs.example@evil.example/x"])
  await fetching.until("Goes to")
  await fetching.until("evil.example:443")
  await fetching.until(ready)
  await fetching.press("n")
  expect(await fetching.code()).toBe(6)
})

test("the text that a script of the project really runs is shown", async () => {
  bench.write("package.json", JSON.stringify({ scripts: { test: "node check-everything.js" } }))
  const run = start(["call", "bash", "command=npm test"])
  await run.until("which runs")
  await run.until("node check-everything.js")
  await run.until(ready)
  await run.press("n")
  expect(await run.code()).toBe(6)
})

test("what an answer that is kept covers is said, and the former text of a script is shown as a diff beside the new one", async () => {
  bench.write("x.sh", "echo one\nsh y.sh\n")
  bench.write("y.sh", "echo two\n")
  const call = ["call", "bash", "command=bash x.sh"]
  const first = start(call)
  await first.until("which runs")
  await first.until(ready)
  const covers = plain(first.shown).replace(/\s+/g, " ")
  expect(covers).toContain(
    "which covers bash x.sh, not bash x.sh more; it holds while the text that is shown stays the",
  )
  expect(covers).not.toContain("which changed")
  await first.press("p")
  expect(await first.code()).toBe(0)
  expect((await bench.run([...call, "--json"])).code).toBe(0)

  bench.write("y.sh", "touch made\n")
  const again = start(call)
  await again.until("which changed since it was allowed")
  await again.until("which runs")
  await again.until(ready)
  expect(plain(again.shown)).toContain("  |  y.sh:\n  | -echo two\n  | +touch made\n")
  await again.press("d")
  await again.until("which was allowed before as")
  await again.until("echo two")
  await again.until(ready)
  await again.press("n")
  expect(await again.code()).toBe(6)
  expect((await bench.run([...call, "--json"])).code).toBe(6)
  expect(existsSync(join(bench.work, "made"))).toBe(false)
})

test("a script that changes while the question is open does not run in its new form", async () => {
  bench.write("x.sh", "echo one\n")
  for (const key of ["y", "p"]) {
    bench.write("x.sh", "echo one\n")
    const run = start(["call", "bash", "command=bash x.sh"])
    await run.until(ready)
    bench.write("x.sh", "touch made\n")
    await run.press(key)
    await run.until("changed while the question was open")
    expect(await run.code()).not.toBe(0)
    expect(existsSync(join(bench.work, "made"))).toBe(false)
  }
  expect((await bench.run(["call", "bash", "command=bash x.sh", "--json"])).code).toBe(6)
})

test("says how much of a text is left out, and d shows all of it, also of a script", async () => {
  const steps = Array.from({ length: 30 }, (_, index) => `\techo step ${index}`).join("\n")
  bench.write("Makefile", `all:\n${steps}\n`)
  const run = start(["call", "bash", "command=make all"])
  await run.until("which runs: 31 lines")
  await run.until("more characters are not shown: d shows all")
  expect(run.shown).not.toContain("step 29")
  await run.until(ready)
  await run.press("d")
  await run.until("step 29")
  await run.until(ready)
  await run.press("\u001b")
  expect(await run.code()).toBe(6)
  const long = start(["call", "bash", `command=echo ${"x".repeat(3000)} > src/a`])
  await long.until("… 1013 more characters are not shown: d shows all")
  await long.until(ready)
  await long.press("\u001b")
  expect(await long.code()).toBe(6)
})

test("colour is drawn at a terminal, and not with NO_COLOR or a dumb one", async () => {
  const shown = async (env: Record<string, string>) => {
    const run = start(["tools"], { env })
    await run.code()
    return run.shown.includes("\u001b[1m")
  }
  expect([await shown({}), await shown({ NO_COLOR: "1" }), await shown({ TERM: "dumb" })]).toEqual([true, false, false])
})

test("content with escape sequences is written out at a terminal and untouched in a pipe", async () => {
  bench.write("e.txt", "a\u001b[2Jb\n")
  const run = start(["call", "read", "file_path=e.txt"])
  await run.code()
  expect(run.shown).toContain("\\x1b[2J")
  expect((await bench.run(["call", "read", "file_path=e.txt"])).stdout).toContain("\u001b[2J")
})
