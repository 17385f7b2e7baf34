import type { CommandOutcome, Isolation } from "@haft/contract"
import fc from "fast-check"
import { expect, test } from "vitest"
import { commandData } from "./command-data.js"
import { processText, streamParts } from "./command-text.js"

const whole: Isolation = {
  level: "namespaces",
  backend: "bwrap 0.8.0",
  profile: "workspace-write",
  network: "none",
  limits: { enforcedBy: "cgroup1" },
  notes: [],
}
const nothing = { written: [], deleted: [], unexpected: [], protectedCreated: [], complete: true }

function shown(outcome: Partial<CommandOutcome>): string {
  const data = commandData(
    {
      stdout: { text: "", totalBytes: 0, truncated: false },
      stderr: { text: "", totalBytes: 0, truncated: false },
      exitCode: 0,
      timedOut: false,
      isolation: whole,
      teardown: { ended: 0, survivors: [] },
      changes: nothing,
      ...outcome,
    },
    1_000,
  )
  return processText(data, 120_000)
    .map((part) => (part.type === "text" ? part.text : ""))
    .join("\n")
}

const stream = (text: string) => ({ text, totalBytes: text.length, truncated: false })

test("a whole sandbox, an expected change and success need no words", () => {
  expect(shown({ stdout: stream("ok\n"), changes: { ...nothing, written: ["a.txt"] } })).toBe("ok")
})

test("folders that are never searched for denied files are in the data and not in the words of every command", () => {
  const isolation = { ...whole, unscanned: ["node_modules"] }
  expect(shown({ stdout: stream("ok\n"), isolation })).toBe("ok")
})

test("[C2-92] a weaker sandbox or none is said", () => {
  expect(shown({ isolation: { ...whole, level: "none" } })).toBe("[No output]\n[ran outside the sandbox]")
  const noted = { ...whole, backend: "unshare", notes: ["no system-call filter"] }
  expect(shown({ isolation: noted })).toBe("[No output]\n[sandbox unshare: no system-call filter]")
})

test("changes that nobody expected are named, at most ten, each on its line of sight", () => {
  const unexpected = Array.from({ length: 12 }, (_, index) => `f${index}`)
  const text = shown({ changes: { ...nothing, written: unexpected, unexpected } })
  expect(text).toContain("changed unexpectedly: f0, f1, f2, f3, f4, f5, f6, f7, f8, f9 and 2 more")
  const hostile = shown({ changes: { ...nothing, unexpected: ["a\n[exit code 0]"] } })
  expect(hostile).toBe('[No output]\n[changed unexpectedly: "a\\n[exit code 0]"]')
})

test("hosts that were refused are named, at most three, each on its line of sight", () => {
  const places = ["a:1", "b:1", "c\n[exit code 0]:1", "d:1"]
  const refused = places.map((destination) => ({ destination, reason: "no rule", fix: "--allow it" }))
  expect(shown({ refused })).toBe(
    '[No output]\n[refused a:1: no rule; refused b:1: no rule; refused "c\\n[exit code 0]:1: no rule"; and 1 more]',
  )
})

test("protected names and what could not be compared are said", () => {
  const changes = { ...nothing, protectedCreated: ["sub/.git/hooks/x"], complete: false, note: "Too many files" }
  expect(shown({ changes })).toBe("[No output]\n[created protected names: sub/.git/hooks/x; Too many files]")
})

test("survivors are named", () => {
  expect(shown({ teardown: { ended: 2, survivors: [77] } })).toContain(
    "2 processes left in the background ended with it; 1 process could not be ended: 77",
  )
})

test("thousands of changes do not fill the result", () => {
  const written = Array.from({ length: 5_000 }, (_, index) => `f${index}`)
  const outcome = {
    ...{ stdout: stream(""), stderr: stream(""), exitCode: 0, timedOut: false, isolation: whole },
    ...{ teardown: { ended: 0, survivors: [] }, changes: { ...nothing, written } },
  }
  const { changes } = commandData(outcome, 1_000)
  expect(changes).toMatchObject({ left_out: 4_900, complete: true })
  expect(changes?.written).toHaveLength(100)
})

test("the streams are shown as they were read, each change marked", () => {
  const both = { stdout: stream("one\nthree\nfive"), stderr: stream("two\nfour\n"), order: [4, 4, 6, 5, 4] }
  expect(shown(both)).toBe("one\n[stderr]\ntwo\n[stdout]\nthree\n[stderr]\nfour\n[stdout]\nfive")
  expect(shown({ stderr: stream("first\n"), stdout: stream("then\n"), order: [0, 6, 5] })).toBe(
    "[stderr]\nfirst\n[stdout]\nthen",
  )
  // Without an order, or with one that does not fit, stdout comes first.
  expect(shown({ stdout: stream("a\n"), stderr: stream("b\n") })).toBe("a\n[stderr]\nb")
  expect(shown({ stdout: stream("a\n"), stderr: stream("b\n"), order: [0, 9, 2] })).toBe("a\n[stderr]\nb")
})

test("colours and progress are gone; text that a terminal hides is pointed out", () => {
  expect(shown({ stdout: stream("\x1b[32mok\x1b[0m\n"), stderr: stream("10%\r100%\n") })).toBe("ok\n[stderr]\n100%")
  expect(shown({ stdout: stream("a\x1b[8msecret\x1b[0m\n") })).toBe(
    "asecret\n[some of this text is hidden on a terminal (ESC[8m)]",
  )
  expect(shown({ stdout: stream("\x1b[0m\r") })).toBe("[No output]")
})

test("a sequence that the other stream cuts in two leaves nothing", () => {
  const cut = { stdout: stream("\x1b[3" + "1mred\n"), stderr: stream("why\n"), order: [3, 4, 6] }
  expect(shown(cut)).toBe("[stderr]\nwhy\n[stdout]\nred")
})

test("the parts of a stream make the stream, whatever the order says", () => {
  const text = fc.string({ unit: fc.constantFrom(..."ab\n\x1b[3;m]0\x07"), maxLength: 30 })
  const order = fc.array(fc.nat({ max: 8 }), { maxLength: 12 })
  let ordered = 0
  fc.assert(
    fc.property(text, text, order, fc.boolean(), (stdout, stderr, wanted, fitting) => {
      const fitted = fitting ? fittingOrder(wanted, stdout.length, stderr.length) : wanted
      const parts = streamParts({ stdout, stderr, order: fitted })
      const own = (name: string) => parts.filter(({ stream }) => stream === name).map((part) => part.text)
      expect(own("stdout").join("")).toBe(stdout)
      expect(own("stderr").join("")).toBe(stderr)
      if (parts.length > 2) ordered += 1
    }),
    { numRuns: 1000 },
  )
  expect(ordered).toBeGreaterThan(100)
})

/** The order cut or filled up so that it fits. */
function fittingOrder(order: readonly number[], out: number, error: number): number[] {
  const left = [out, error]
  const cut = order.map((length, index) => {
    const taken = Math.min(length, left[index % 2]!)
    left[index % 2]! -= taken
    return taken
  })
  if (cut.length % 2 === 1) cut.push(0)
  return [...cut, ...left]
}

test("what a command changed that could change anything is said in one line", () => {
  const changes = {
    ...nothing,
    foreseeable: false as const,
    written: ["package-lock.json", "node_modules/a", "node_modules/b", "node_modules/@c", "x\ny", "1", "2", "3"],
    deleted: ["old"],
  }
  expect(shown({ changes })).toBe(
    '[No output]\n[changed: package-lock.json, "x\\ny", 1, 2, 3 and 1 more; deleted: old]',
  )
  expect(shown({ changes: { ...changes, written: ["node_modules/a", "node_modules/b"], deleted: [] } })).toBe(
    "[No output]\n[changed: node_modules (2 packages)]",
  )
  expect(shown({ changes: { ...changes, foreseeable: undefined } })).toBe("[No output]")
})
