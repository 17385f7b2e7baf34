import { spawn } from "node:child_process"
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { PassThrough } from "node:stream"
import { afterEach, beforeEach, expect, test, vi } from "vitest"
import { escapeKey, pasteKey } from "./key-burst.js"
import { readKey, readLine } from "./keyboard.js"

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "setImmediate", "clearImmediate"] })
})
afterEach(() => {
  vi.useRealTimers()
})

/** Keys by the millisecond at which they are typed; what is read of them, and when. */
async function typedAt(keys: Readonly<Record<number, string>>, read = readKey) {
  const stdin = Object.assign(new PassThrough(), { isTTY: true, setRawMode: () => undefined })
  const stderr = Object.assign(new PassThrough(), { isTTY: true, columns: 80 })
  stderr.resume()
  let found: { readonly key: string | undefined; readonly ms: number } | undefined
  let ms = 0
  void read({ stdin, stderr, env: {} }, new AbortController().signal).then((key) => {
    found = { key, ms }
  })
  for (; ms <= 3000 && !found; ms += 1) {
    if (keys[ms] !== undefined) stdin.write(keys[ms])
    // A write to a stream is told of after a turn of the real event loop.
    await new Promise((resume) => process.nextTick(resume))
    await vi.advanceTimersByTimeAsync(1)
  }
  return found
}

test.each([
  ["a key after a quarter of a second", { 300: "y" }, "y"],
  ["a key too early, then one after a pause", { 100: "y", 400: "n" }, "n"],
  ["a key that is followed at once", { 300: "y", 330: "e", 360: "s" }, pasteKey],
  ["Esc", { 300: "\u001b" }, escapeKey],
  ["Esc that begins an arrow key", { 300: "\u001b", 320: "[A", 900: "n" }, "n"],
  ["a marker of pasted text in pieces", { 300: "\u001b[20", 320: "0~y", 700: "n\u001b[201~" }, pasteKey],
])("%s is read as such", async (_name, keys, key) => {
  expect((await typedAt(keys))?.key).toBe(key)
})

test("keys that never pause for a quarter of a second are no choice", async () => {
  const keys = Object.fromEntries(Array.from({ length: 15 }, (_, index) => [index * 200, "y"]))
  expect(await typedAt(keys)).toBeUndefined()
})

test("a key counts 50 ms after it was pressed", async () => {
  const found = await typedAt({ 1000: "y" })
  expect(found?.ms).toBeGreaterThanOrEqual(1045)
  expect(found?.ms).toBeLessThan(1070)
})

test.each([
  // The person who typed n did not see the question yet.
  ["before a key counts", "printf n; touch typed; sleep 1; printf y", 300, "y"],
  ["after a key", "read go; printf y; until [ -e busy ]; do sleep 0.01; done; printf es; touch typed", 100, pasteKey],
])("what is typed %s while the machine is busy counts as typed then", async (_name, script, busyMs, key) => {
  vi.useRealTimers()
  const folder = mkdtempSync(join(tmpdir(), "haft-keys-"))
  const typist = spawn("sh", ["-c", `${script}; sleep 9`], { cwd: folder, stdio: ["pipe", "pipe", "inherit"] })
  const stdin = Object.assign(typist.stdout, { setRawMode: () => undefined })
  const keepBusy = () => {
    const untilMs = performance.now() + busyMs
    writeFileSync(join(folder, "busy"), "")
    while (performance.now() < untilMs || !existsSync(join(folder, "typed")));
  }
  try {
    const stderr = Object.assign(new PassThrough().resume(), { columns: 80 })
    const found = readKey({ stdin, stderr, env: {} }, new AbortController().signal)
    if (script.startsWith("read go")) {
      stdin.once("data", keepBusy)
      // Longer than until keys count, by the same clock.
      await new Promise((resume) => setTimeout(resume, 600))
      typist.stdin.write("go\n")
    } else keepBusy()
    expect(await found).toBe(key)
  } finally {
    typist.kill()
    rmSync(folder, { recursive: true, force: true })
  }
})

test("the end of the input counts as Esc", async () => {
  const stdin = Object.assign(new PassThrough(), { setRawMode: () => undefined })
  stdin.end()
  stdin.resume()
  const ended = new Promise((resolve) => stdin.on("close", resolve))
  await ended
  const terminal = { stdin, stderr: Object.assign(new PassThrough(), { columns: 80 }), env: {} }
  const { signal } = new AbortController()
  expect(await readKey(terminal, signal)).toBe(escapeKey)
  expect(await readLine(terminal, "Why: ", signal)).toBeUndefined()
  expect(await readLine({ ...terminal, env: { HAFT_ACCESSIBLE: "1" } }, "Why: ", signal)).toBeUndefined()
})

test.each([
  ["typed", { 10: "a", 20: "b", 30: "\r" }, "ab"],
  ["pasted, with line breaks that do not end it", { 10: "\u001b[200~a\rb\u0003\u001b[201~", 900: "\r" }, "a b "],
  ["pasted in pieces", { 10: "x\u001b[2", 20: "00~a\r", 30: "b\u001b[20", 40: "1~\r" }, "xa b"],
  ["left with Esc", { 10: "ab", 200: "\u001b", 900: "\r" }, undefined],
])("a line: %s", async (_name, keys, line) => {
  const found = await typedAt(keys, (terminal, signal) => readLine(terminal, "Why: ", signal) as Promise<string>)
  expect(found?.key).toBe(line)
})
