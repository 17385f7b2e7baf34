import { writeFileSync } from "node:fs"
import { join } from "node:path"
import type { ReplRequest } from "@haft/contract"
import { afterEach, beforeEach, describe, expect, test } from "vitest"
import { hasNamespaces, namespaceSandbox, plainSandbox } from "../process/testing/test-sandboxes.js"
import { createTestSession, processesWith, type TestSession } from "../process/testing/test-session.js"
import { SessionRepl } from "./session-repl.js"

let session: TestSession
let interpreters: SessionRepl
const open = (sandbox: typeof plainSandbox) => {
  session = createTestSession(sandbox)
  interpreters = new SessionRepl({ ...session.place, sandboxes: session.sandboxes })
}
beforeEach(() => open(plainSandbox))
afterEach(async () => {
  await interpreters.close()
  expect(session.standing()).toBe(0)
  session.remove()
})

const { signal } = new AbortController()
const evaluate = (language: ReplRequest["language"], code: string, options: Partial<ReplRequest> = {}) =>
  interpreters
    .port(session.call())
    .evaluate({ language, code, timeoutMs: 20_000, keepBytes: 10_000, signal, ...options })

const sandboxes = [
  ["unconfined", plainSandbox, process.platform === "linux"],
  ["in a namespace", namespaceSandbox, hasNamespaces],
] as const

test("a session that closes waits for an interpreter that is just starting, and ends it", async () => {
  const piece = evaluate("shell", "echo late").catch((error: unknown) => error)
  while (session.standing() === 0) await new Promise((resolve) => setTimeout(resolve, 1))
  await interpreters.close()
  expect(session.standing()).toBe(0)
  await piece
})

describe.each(sandboxes)("an interpreter %s", (_, sandbox, canRun) => {
  beforeEach(() => {
    session.remove()
    open(sandbox)
  })

  const samples = {
    python: {
      set: "x = 20\nimport sys",
      use: "print(x + 1)\nprint('err', file=sys.stderr)",
      fails: "1/0",
      loop: "while True: pass",
    },
    javascript: {
      set: "const x = 20",
      use: "console.log(x + 1); console.error('err')",
      fails: "null.x",
      loop: "for(;;);",
    },
    shell: { set: "x=20", use: "echo $((x + 1)); echo err >&2", fails: "false", loop: "while :; do :; done" },
  } as const

  test.skipIf(!canRun).each(Object.keys(samples) as (keyof typeof samples)[])(
    "keeps its state: %s",
    async (language) => {
      const { set, use, fails } = samples[language]
      expect(await evaluate(language, set)).toMatchObject({ exitCode: 0, timedOut: false })
      expect(await evaluate(language, use)).toMatchObject({
        exitCode: 0,
        stdout: { text: "21\n" },
        stderr: { text: "err\n" },
      })
      expect(await evaluate(language, fails)).toMatchObject({ exitCode: 1 })
      expect(await evaluate(language, use)).toMatchObject({ stdout: { text: "21\n" }, stderr: { text: "err\n" } })
      expect(await evaluate(language, use, { fresh: true })).not.toMatchObject({ stdout: { text: "21\n" } })
    },
  )

  test.skipIf(!canRun).each(Object.keys(samples) as (keyof typeof samples)[])(
    "is interrupted when it takes too long, and works afterwards: %s",
    async (language) => {
      const { set, use, loop } = samples[language]
      await evaluate(language, set)
      const late = await evaluate(language, loop, { timeoutMs: 300 })
      expect(late.timedOut).toBe(true)
      const after = await evaluate(language, use)
      // A shell cannot be stopped in the middle of a line without being ended; the answer says so.
      if (language === "shell") expect(late.stderr.text).toContain("its state is lost")
      else expect(after.stdout.text).toBe("21\n")
      expect(after.stderr.text).toBe("err\n")
    },
  )
})

describe("python", () => {
  test("shows the value of a last expression and the place of an error", async () => {
    expect((await evaluate("python", "a = 6\na * 7")).stdout.text).toBe("42\n")
    const { stderr } = await evaluate("python", "def f():\n    raise ValueError('no')\nf()")
    expect(stderr.text).toContain("raise ValueError('no')")
    expect(stderr.text).toMatch(/ValueError: no\n$/)
    expect(stderr.text).not.toContain("<string>")
  })

  test("an exit is the end of the piece, not of the interpreter", async () => {
    await evaluate("python", "x = 1")
    expect(await evaluate("python", "import sys; sys.exit(3)")).toMatchObject({ exitCode: 3 })
    expect((await evaluate("python", "x")).stdout.text).toBe("1\n")
  })

  test("a program that it waits for is interrupted with it", async () => {
    const tag = `33.${process.pid}`
    const late = await evaluate("python", `import subprocess\nsubprocess.run(["sleep", "${tag}"])`, { timeoutMs: 400 })
    expect(late).toMatchObject({ timedOut: true, exitCode: 1 })
    expect(processesWith(tag)).toEqual([])
  })

  test("one that does not stop is ended, and the answer says so", async () => {
    const stubborn = "import signal\nsignal.signal(signal.SIGINT, signal.SIG_IGN)\nwhile True: pass"
    const late = await evaluate("python", stubborn, { timeoutMs: 200 })
    expect(late).toMatchObject({ timedOut: true, exitCode: null })
    expect(late.stderr.text).toContain("its state is lost")
    expect((await evaluate("python", "1 + 1")).stdout.text).toBe("2\n")
  })

  test("one that kills itself is lost, and the next piece starts a new one", async () => {
    expect(await evaluate("python", "import os; os._exit(9)")).toMatchObject({ exitCode: null, timedOut: false })
    expect((await evaluate("python", "1 + 1")).stdout.text).toBe("2\n")
  })
})

describe("javascript", () => {
  test("awaits at the top, requires and imports", async () => {
    expect((await evaluate("javascript", "const y = await Promise.resolve(5); y * 2")).stdout.text).toBe("10\n")
    expect((await evaluate("javascript", "require('node:path').join('a', 'b')")).stdout.text).toBe("a/b\n")
    expect((await evaluate("javascript", "(await import('node:path')).join('c', 'd')")).stdout.text).toBe("c/d\n")
    writeFileSync(join(session.root, "own.cjs"), "module.exports = 'own'")
    expect((await evaluate("javascript", "require('./own.cjs')")).stdout.text).toBe("own\n")
  })

  test("a promise that never settles is interrupted and the state stays", async () => {
    await evaluate("javascript", "var z = 3")
    expect(await evaluate("javascript", "await new Promise(() => {})", { timeoutMs: 300 })).toMatchObject({
      timedOut: true,
      exitCode: 1,
    })
    expect((await evaluate("javascript", "z")).stdout.text).toBe("3\n")
  })
})

describe("shell", () => {
  test("keeps directory and functions, and its exit code is the piece's", async () => {
    await evaluate("shell", "mkdir -p sub && cd sub; f() { echo from $(basename $PWD); }")
    expect((await evaluate("shell", "f; (exit 7)")).exitCode).toBe(7)
    expect((await evaluate("shell", "f")).stdout.text).toBe("from sub\n")
    expect(await evaluate("shell", "exit 4")).toMatchObject({ exitCode: 4 })
    expect((await evaluate("shell", "basename $PWD")).stdout.text).toBe("root\n")
  })
})

describe("whatever the language", () => {
  test("what is printed can never be taken for an answer", async () => {
    const code = "import sys\nsys.stdout.write('ready\\n0 0\\n')\nraise SystemExit(2)"
    expect(await evaluate("python", code)).toMatchObject({ exitCode: 2, stdout: { text: "ready\n0 0\n" } })
  })

  test("pieces that come at once run one after the other", async () => {
    await evaluate("python", "log = []")
    const pieces = [1, 2, 3].map((n) =>
      evaluate("python", `log.append(${n}); import time; time.sleep(0.02); log.append(${n})`),
    )
    await Promise.all(pieces)
    expect((await evaluate("python", "log")).stdout.text).toBe("[1, 1, 2, 2, 3, 3]\n")
  })

  test("long output is cut in the middle, every byte of a large one is counted", async () => {
    const { stdout } = await evaluate("python", "print('a' * 3_000_000)", { keepBytes: 1000 })
    expect(stdout).toMatchObject({ totalBytes: 3_000_001, truncated: true })
    expect((await evaluate("python", "print('next')")).stdout.text).toBe("next\n")
  })

  test("an abort ends the wait, and the interpreter serves on", async () => {
    const controller = new AbortController()
    await evaluate("python", "x = 5")
    setTimeout(() => controller.abort(), 150)
    const code = "import time\ntime.sleep(30)"
    await expect(evaluate("python", code, { signal: controller.signal })).rejects.toMatchObject({ code: "cancelled" })
    expect((await evaluate("python", "x")).stdout.text).toBe("5\n")
  })

  test("a NUL character is refused, a missing interpreter names what to install", async () => {
    await expect(evaluate("python", "a\0b")).rejects.toMatchObject({ code: "invalid_args" })
    const without = new SessionRepl({ ...session.place, sandboxes: session.sandboxes, path: "/nonexistent" })
    const request = { language: "python", code: "1", timeoutMs: 1000, keepBytes: 100, signal } as const
    await expect(without.port(session.call()).evaluate(request)).rejects.toMatchObject({
      code: "not_configured",
      fix: expect.stringContaining("python3"),
    })
  })

  test("the interpreter only ever looks, whatever the call may do", async () => {
    const profiles: string[] = []
    const sandboxes = {
      prepare: async (request: Parameters<TestSession["sandboxes"]["prepare"]>[0]) => {
        profiles.push(request.sandbox.profile)
        return session.sandboxes.prepare(request)
      },
    }
    const looking = new SessionRepl({ ...session.place, sandboxes })
    const call = session.call({ profile: "workspace-write+net" })
    await looking.port(call).evaluate({ language: "shell", code: ":", timeoutMs: 10_000, keepBytes: 100, signal })
    await looking.close()
    expect(profiles).toEqual(["read-only"])
  })
})
