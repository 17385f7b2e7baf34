import { spawn } from "node:child_process"
import { once } from "node:events"
import type { Writable } from "node:stream"
import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { handshakeArgv, handshakeFailed, handshakeFor } from "./prewarmed-sandbox.js"

/** A waiter without a sandbox, told this text. */
async function tell(text: string): Promise<{ stdout: string; stderr: string; code: number }> {
  const [file, ...args] = handshakeArgv(3)
  const child = spawn(file!, args, { env: {}, stdio: ["ignore", "pipe", "pipe", "pipe"] })
  const words = child.stdio[3] as Writable
  words.on("error", () => undefined)
  words.end(text)
  let [stdout, stderr] = ["", ""]
  child.stdout!.on("data", (piece) => (stdout += piece))
  child.stderr!.on("data", (piece) => (stderr += piece))
  const [code] = await once(child, "close")
  return { stdout, stderr, code }
}

describe.skipIf(process.platform === "win32")("a waiter", () => {
  const printed = (words: readonly string[]) => words.map((word) => `<${word}>`).join("")
  const print = (words: readonly string[]) => ["/usr/bin/env", "printf", "<%s>", ...words]

  test.each([
    [["$(touch x)", "`id`", "a;b|c&d>e", "'\"\\'"]],
    [["", " ", "\t", "\n", "\n\n", " a b ", "a\n", "\nb", "a\n\nb"]],
    [["run 1", "run 1\n", "2 3\nrun 1\n", "-n", "-e", "\\n\\0\\c", "*", "~", "$@"]],
  ])("becomes the program with exactly the words that it was told: %j", async (words) => {
    expect((await tell(handshakeFor(print(words))!)).stdout).toBe(printed(words))
  })

  test("keeps any plain words", async () => {
    const word = fc.string({ unit: fc.constantFrom(..."ab01 \t\n'\"\\$`*;-") })
    await fc.assert(
      fc.asyncProperty(fc.array(word, { minLength: 1, maxLength: 6 }), async (words) => {
        expect((await tell(handshakeFor(print(words))!)).stdout).toBe(printed(words))
      }),
      { numRuns: 60 },
    )
  })

  test("runs nothing when it was told too little, or something else than was announced", async () => {
    const whole = handshakeFor(["/bin/echo", "ran", "this"])!
    const cut = Array.from({ length: whole.length }, (_, length) => whole.slice(0, length))
    const wrong = [whole.replace("3\nran", "4\nran"), whole.replace("run 3", "run 2"), whole.replace("1 9", "2 9")]
    for (const text of [...cut, ...wrong]) {
      const { stdout, stderr, code } = await tell(text)
      expect([stdout, code]).toEqual(["", 125])
      expect(stderr).toContain(handshakeFailed)
    }
  })

  test("leaves neither its descriptor nor its variables to the program", async () => {
    // Names only: a value is the working directory, which may be called anything.
    const { stdout } = await tell(handshakeFor(["/usr/bin/env"])!)
    const names = stdout.split("\n").flatMap((line) => /^\w+(?==)/.exec(line) ?? [])
    expect(["PWD", "OLDPWD", "SHLVL", "_"]).toEqual(expect.arrayContaining(names))
    expect((await tell(handshakeFor(["/bin/sh", "-c", "echo x >&3"])!)).code).not.toBe(0)
  })
})

test("words that a shell could change, long ones and a program without a path are not told", () => {
  expect(handshakeFor(["/bin/echo", "ぁ"])).toBeUndefined()
  expect(handshakeFor(["/bin/echo", "a\rb"])).toBeUndefined()
  expect(handshakeFor(["/bin/echo", "a\0b"])).toBeUndefined()
  expect(handshakeFor(["/bin/echo", "x".repeat(5000)])).toBeUndefined()
  expect(handshakeFor(["echo"])).toBeUndefined()
  expect(handshakeFor([])).toBeUndefined()
})
