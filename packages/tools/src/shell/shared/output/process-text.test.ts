import type { CommandOutcome, Isolation } from "@haft/contract"
import { expect, test } from "vitest"
import { commandData } from "./command-data.js"
import { processText } from "./process-text.js"

const whole: Isolation = {
  level: "namespaces",
  backend: "bwrap 0.8.0",
  profile: "work",
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
  const [part] = processText(data, 120_000)
  return part?.type === "text" ? part.text : ""
}

const stream = (text: string) => ({ text, totalBytes: text.length, truncated: false })

test("a whole wall, an expected change and success need no words", () => {
  expect(shown({ stdout: stream("ok\n"), changes: { ...nothing, written: ["a.txt"] } })).toBe("ok")
})

test("folders that are never searched for denied files are in the data and not in the words of every command", () => {
  const isolation = { ...whole, unscanned: ["node_modules"] }
  expect(shown({ stdout: stream("ok\n"), isolation })).toBe("ok")
})

test("[C2-92] a weaker wall or none is said", () => {
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
