import type { AnyManifest } from "@haft/contract"
import { describe, expect, test } from "vitest"
import { builtinDetectors } from "./builtin-detectors.js"
import {
  type Detector,
  type DetectorVerdict,
  type RecentCall,
  runWatchdog,
  type WatchdogRequest,
} from "./run-watchdog.js"

const manifest = (more: Partial<AnyManifest> = {}) => ({ id: "read", requires: {}, ...more }) as AnyManifest

function request(values: Record<string, unknown> = {}, more: Partial<WatchdogRequest> = {}): WatchdogRequest {
  return {
    tool: "read",
    arguments: values,
    manifest: manifest(),
    agent: { requires: {}, rules: [] },
    sessionId: "s1",
    recent: [],
    ...more,
  }
}

function detector(id: string, inspect: Detector["inspect"]): Detector {
  return { id, about: "a test", inspect }
}

const allow: DetectorVerdict = { verdict: "allow" }
const deny: DetectorVerdict = { verdict: "deny", reason: "no" }
const ask: DetectorVerdict = { verdict: "ask", reason: "sure?" }

describe("runWatchdog", () => {
  test("[C2-68] passes, denies or asks, with the reason and the detector that objected", async () => {
    expect(await runWatchdog([], request())).toMatchObject({ verdict: "pass" })
    expect(await runWatchdog([detector("a", () => allow)], request())).toMatchObject({ verdict: "pass" })
    expect(await runWatchdog([detector("a", () => deny)], request())).toEqual({
      verdict: "deny",
      reason: "no",
      detector: "a",
    })
    expect(await runWatchdog([detector("a", () => ask)], request())).toEqual({
      verdict: "ask",
      reason: "sure?",
      detector: "a",
    })
  })

  test("[C2-67] a detector sees tool, arguments, manifest and session", async () => {
    let seen: WatchdogRequest | undefined
    const given = request({ file_path: "a" })
    const watching = detector("a", (each) => {
      seen = each
      return allow
    })
    await runWatchdog([watching], given)
    expect(seen).toBe(given)
  })

  test("deny goes over ask, in either order and at either pace", async () => {
    const slow = (verdict: DetectorVerdict) => async () => verdict
    for (const list of [
      [detector("a", () => ask), detector("b", () => deny)],
      [detector("b", () => deny), detector("a", () => ask)],
      [detector("a", () => ask), detector("b", slow(deny))],
      [detector("b", slow(deny)), detector("a", slow(ask))],
    ]) {
      expect(await runWatchdog(list, request())).toMatchObject({ verdict: "deny", detector: "b" })
    }
  })

  test("a detector that throws, rejects, is late or talks nonsense counts as ask", async () => {
    const failing = [
      detector("throws", () => {
        throw new Error("broken")
      }),
      detector("rejects", () => Promise.reject(new Error("broken"))),
      detector("late", () => new Promise(() => {})),
      detector("nonsense", () => ({ verdict: "maybe" }) as never),
      detector("nothing", () => undefined as never),
    ]
    for (const each of failing) {
      const verdict = await runWatchdog([each], request(), { timeoutMs: 5 })
      expect(verdict).toMatchObject({ verdict: "ask", detector: each.id })
      expect(verdict.reason).toContain(`the detector "${each.id}" could not judge the call`)
    }
  })
})

describe("hidden characters", () => {
  const verdict = async (values: Record<string, unknown>) =>
    (await runWatchdog(builtinDetectors(), request(values))).verdict

  test.each([
    ["a zero-width space in a path", { file_path: "src/a\u200b.ts" }],
    ["a direction override in a path", { file_path: "src/\u202egpj.exe" }],
    ["a direction mark in a command", { command: "rm \u200e-rf x" }],
    ["an escape sequence in a command", { command: "ls \u001b[8m; rm x" }],
    ["a carriage return in a command", { command: "rm x\rls" }],
    ["tag characters in an address", { url: "https://x.test/\u{e0041}" }],
    ["a joiner between Latin letters", { file_path: "gi\u200dt" }],
    ["a byte order mark in a list of names", { names: ["a", "\ufeffb"] }],
    ["a nested name", { edits: [{ file_path: "a\u2060" }] }],
    ["a filler that is not drawn", { command: "rm a\u3164" }],
    ["a line separator", { command: "ls\u2028rm x" }],
    ["a variant of a Latin letter", { file_path: "a\ufe00.txt" }],
    ["a text in variants of one sign", { file_path: "\u2764\ufe0f\u{e0141}\u{e0142}" }],
    ["a blank that counts as a sign", { command: "rm\u2800x" }],
    ["a Cyrillic c in a command", { command: "\u0441url https://x.test" }],
    ["a Greek O in a path", { file_path: "C\u039fNFIG.md" }],
    ["two Cyrillic letters in an address", { url: "https://g\u043e\u043egle.test" }],
    ["hidden text in content", { content: "a\u001b[8mb" }],
    ["hidden text among colours in content", { content: "a\u001b[0;31;8mb" }],
    ["an override in content", { content: "if (admin\u202e) {" }],
    ["an isolate that is left open in content", { content: "/* \u2066 } if (x) begin\n" }],
    ["an override in a nested replacement", { edits: [{ old_string: "a", new_string: "\u202d" }] }],
  ])("%s asks", async (_name, values) => {
    expect(await verdict(values)).toBe("ask")
  })

  test.each([
    ["a message in Russian with Latin words", { command: "git commit -m 'Добавил API-интеграцию в CSSом'" }],
    ["a formula", { command: "grep TNF\u03b1 NF\u03baB \u0394T \u00b5m" }],
    ["Greek, Cyrillic and Armenian words", { file_path: "Οδηγός/Справка/Օգնություն.md" }],
    ["letters that look Latin in content", { content: "\u0441url" }],
    ["colours in content", { content: "\u001b[38;5;8mgrey\u001b[0m\u001b[28m" }],
    ["ordinary arguments", { file_path: "src/a.ts", offset: 3, deep: { list: [1, true, null] } }],
    [
      "Hebrew and Arabic text with marks",
      { content: "\u05e9\u05dc\u05d5\u05dd\u200f, \u0645\u0631\u062d\u0628\u0627\u061c" },
    ],
    ["closed isolates in content", { content: "name: \u2068{$user}\u2069!\nnext: \u2067x\u2069" }],
    ["a byte order mark in content", { content: "\ufeffa,b" }],
    ["Persian with its joiner in a path", { file_path: "\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645.txt" }],
    ["a family of emoji in a path", { file_path: "\u{1f468}\u200d\u{1f469}\u200d\u{1f467}.png" }],
    ["an emoji with a variation selector", { file_path: "\u2764\ufe0f.txt" }],
    ["an ideograph with its variant", { file_path: "\u8fbb\u{e0100}.txt" }],
    ["a keycap and a mark", { file_path: "1\ufe0f\u20e3 \u00a9\ufe0f.txt" }],
    ["a blank that does not break, as in names of pictures", { file_path: "Shot 3.00\u202fPM.png" }],
    ["a command of several lines", { command: "cat <<E\n\tx\nE" }],
    ["a search for a hidden character", { pattern: "\u200b" }],
    ["the removal of an override", { old_string: "a\u202eb", new_string: "ab" }],
  ])("%s passes", async (_name, values) => {
    expect(await verdict(values)).toBe("pass")
  })

  test("what it points out is named", async () => {
    const reason = async (values: Record<string, unknown>) =>
      (await runWatchdog(builtinDetectors(), request(values))).reason
    expect(await reason({ command: "\u0441url x" })).toBe(
      'the argument "command" holds "\u0441url", in which \u0441 is U+0441 and no Latin letter',
    )
    expect(await reason({ content: "a\u001b[8mb" })).toBe(
      'the argument "content" holds ESC[8m, which hides text on a terminal',
    )
    expect(await reason({ file_path: "a\u200b" })).toBe(
      'the argument "file_path" holds U+200B, which a person does not see',
    )
  })

  test.each(["\u0441", "\u0441a", "\u001b[1;", "\u001b[8", "a"])(
    "a megabyte of %j is looked through soon",
    async (unit) => {
      const start = performance.now()
      await verdict({ file_path: unit.repeat(1_000_000 / unit.length) })
      await verdict({ content: unit.repeat(1_000_000 / unit.length) })
      expect(performance.now() - start).toBeLessThan(5_000)
    },
  )

  test("what is too deep to look through asks", async () => {
    let value: unknown = "a"
    for (let depth = 0; depth < 20; depth++) value = { value }
    expect(await verdict({ value })).toBe("ask")
  })
})

describe("repeated calls", () => {
  const call = (more: Partial<RecentCall> = {}): RecentCall => ({
    tool: "read",
    argumentsHash: "h",
    resultHash: "r",
    ...more,
  })
  const verdict = async (recent: readonly RecentCall[], more: Partial<WatchdogRequest> = {}) =>
    (await runWatchdog(builtinDetectors(), request({}, { recent, argumentsHash: "h", ...more }))).verdict

  test("the same call with the same result asks after five times", async () => {
    expect(await verdict(Array.from({ length: 4 }, () => call()))).toBe("pass")
    expect(await verdict(Array.from({ length: 5 }, () => call()))).toBe("ask")
    expect(await verdict(Array.from({ length: 50 }, () => call()))).toBe("ask")
  })

  test("another result, other arguments or another call in between passes", async () => {
    const four = Array.from({ length: 4 }, () => call())
    expect(await verdict([...four, call({ resultHash: "other" })])).toBe("pass")
    expect(await verdict([call({ resultHash: "other" }), ...four])).toBe("pass")
    expect(await verdict([...four, call()], { argumentsHash: "other" })).toBe("pass")
    expect(await verdict([...four.slice(2), call({ tool: "edit" }), ...four.slice(2)])).toBe("pass")
  })

  test("tools that poll are excepted", async () => {
    const recent = Array.from({ length: 9 }, () => call())
    expect(await verdict(recent, { manifest: manifest({ polls: true }) })).toBe("pass")
  })

  test("without a digest of the arguments nothing is compared", async () => {
    const recent = Array.from({ length: 9 }, () => call())
    expect((await runWatchdog(builtinDetectors(), request({}, { recent }))).verdict).toBe("pass")
  })
})
