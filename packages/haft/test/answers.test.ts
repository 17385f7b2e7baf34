import { existsSync, readFileSync, writeFileSync } from "node:fs"
import type { AskAnswer, AskRequest, Envelope, Person } from "@haft/contract"
import type { Detector } from "@haft/guard"
import { scriptedPerson } from "@haft/testkit"
import { afterEach, beforeEach, describe, expect, test } from "vitest"
import type { HaftOptions } from "../src/library/options.js"
import { type LibraryWorld, libraryWorld } from "./library-world.js"

let world: LibraryWorld
beforeEach(async () => {
  world = await libraryWorld({ "src/a.ts": "one\n" })
})
afterEach(() => world.remove())

const write = { file_path: "src/b.ts", content: "mine\n" }
const isWritten = () => existsSync(world.path("src/b.ts"))

/** One call, and what the journal has of its answers. */
async function recorded(options: HaftOptions, call: { answer?: "once"; name?: string; input?: object } = {}) {
  const haft = await world.haft(options)
  const session = await haft.openSession()
  const { answer, name = "write", input = write } = call
  const envelope: Envelope = await session.call(name, input, answer ? { answer } : {})
  const store = await haft.store()
  const [record] = await store.calls(session.id)
  expect(await store.verify(session.id)).toMatchObject({ ok: true })
  const answers = record!.answers?.map(({ at, ...rest }) => {
    expect(at).toBeGreaterThanOrEqual(record!.startedAt)
    return rest
  })
  return { envelope, answers, person: record!.ladder.rungs.find(({ rung }) => rung === "person") }
}

const asking = (...asks: AskAnswer[]) => ({ person: scriptedPerson({ asks }) })

describe("the journal has what was answered", () => {
  test("once", async () => {
    const { answers, person } = await recorded(asking({ answer: "once" }))
    expect(answers).toEqual([{ answer: "once", by: "person" }])
    expect(person).toMatchObject({ verdict: "allow", reason: "a person answered this call" })
  })

  test.each(["session", "project"] as const)(
    "%s, with the rule that it kept, although that rule settles the call",
    async (answer) => {
      const { answers, person, envelope } = await recorded(asking({ answer }))
      expect(envelope.type).toBe("output")
      expect(answers).toEqual([{ answer, by: "person", rule: "fs.write(src/**)" }])
      expect(person).toMatchObject({
        verdict: "allow",
        reason: `a person answered for this ${answer}: allow fs.write(src/**)`,
      })
    },
  )

  test("accept-edits", async () => {
    const { answers, person } = await recorded(asking({ answer: "accept-edits" }))
    expect(answers).toEqual([{ answer: "accept-edits", by: "person" }])
    expect(person?.reason).toBe("a person accepts edits in this session")
  })

  test("an edit and then the answer to what was edited", async () => {
    const edited = { file_path: "src/c.ts", content: "x" }
    const { answers } = await recorded(asking({ answer: "edit", arguments: edited }, { answer: "once" }))
    expect(answers).toEqual([
      { answer: "edit", by: "person" },
      { answer: "once", by: "person" },
    ])
  })

  test("a rejection with its reason", async () => {
    const { answers } = await recorded(asking({ answer: "reject", reason: "not here" }))
    expect(answers).toEqual([{ answer: "reject", by: "person", reason: "not here" }])
  })

  test("an answer that came too late for what was shown", async () => {
    const ask: Person["ask"] = async () => {
      writeFileSync(world.path("src/b.ts"), "somebody else\n")
      return { answer: "session" }
    }
    const { answers, envelope } = await recorded({ person: { ask, question: async () => [] } })
    expect(envelope.metadata.error_code).toBe("conflict")
    expect(answers).toEqual([{ answer: "session", by: "person", rule: "fs.write(src/**)" }])
  })

  test("an answer in advance is distinguished from one that somebody gave, and is none where nobody had to answer", async () => {
    const { answers, person } = await recorded({}, { answer: "once" })
    expect(answers).toEqual([{ answer: "once", by: "caller" }])
    expect(person?.reason).toBe("the caller answered in advance")
    const read = await recorded({}, { answer: "once", name: "read", input: { file_path: "src/a.ts" } })
    expect([read.envelope.type, read.answers, read.person]).toEqual(["output", undefined, undefined])
    const denied = await recorded({}, { answer: "once", input: { file_path: "../x", content: "" } })
    expect([denied.envelope.type, denied.answers]).toEqual(["error", undefined])
  })
})

describe("a person who cannot be reached or understood rejects", () => {
  test.each<[string, () => unknown]>([
    [
      "throws at once",
      () => {
        throw new Error("broken page")
      },
    ],
    [
      "throws a text at once",
      () => {
        throw "broken page"
      },
    ],
    ["rejects", () => Promise.reject(new Error("broken page"))],
    ["gives undefined", () => undefined],
    ["gives null", async () => null],
    ["gives a text", async () => "once"],
    ["gives true", () => true],
    ["gives an unknown answer", async () => ({ answer: "yes" })],
    ["gives a prototype's name", async () => ({ answer: "constructor" })],
    ["gives a list", async () => ["once"]],
    ["gives a rule that is none", async () => ({ answer: "session", rule: "fs.write" })],
    ["gives a rule without an action", async () => ({ answer: "project", rule: { permission: "fs.write" } })],
    ["gives a rule with another action", async () => ({ answer: "session", rule: { permission: "*", action: "yes" } })],
    ["gives an edit of nothing", async () => ({ answer: "edit" })],
    [
      "gives a trap",
      () =>
        new Proxy(
          {},
          {
            get: () => {
              throw new Error("trap")
            },
          },
        ),
    ],
  ])("%s", async (_name, ask) => {
    const { envelope, answers } = await recorded({ person: { ask, question: async () => [] } as unknown as Person })
    expect(envelope.metadata.error_code).toBe("denied")
    expect(isWritten()).toBe(false)
    expect(answers).toEqual([{ answer: "reject", by: "nobody", reason: expect.any(String) }])
  })

  test("without any function to ask with", async () => {
    await expect(recorded({ person: {} as unknown as Person })).rejects.toMatchObject({ code: "invalid_args" })
    expect(isWritten()).toBe(false)
  })

  test("an answer with a rule brings nothing along that only rules of files may say", async () => {
    const rule = { permission: "fs.write", pattern: "src/**", action: "allow", authority: 7, final: true } as const
    const haft = await world.haft({ person: scriptedPerson({ asks: [{ answer: "session", rule }] }) })
    const session = await haft.openSession()
    await session.call("write", write)
    const kept = (await (await haft.store()).session(session.id))?.permissions
    expect(kept).toEqual([{ permission: "fs.write", pattern: "src/**", action: "allow", source: { scope: "session" } }])
  })

  test.each<[string, () => unknown]>([
    [
      "throws at once",
      () => {
        throw new Error("broken page")
      },
    ],
    ["rejects", () => Promise.reject(new Error("broken page"))],
    ["gives nothing", () => undefined],
    ["gives other things than texts", async () => [[1]]],
    ["gives one text", async () => ["A"]],
  ])("a question of the agent: %s", async (_name, question) => {
    const person = { ask: async () => ({ answer: "once" }), question } as unknown as Person
    const session = await (await world.haft({ person })).openSession()
    const envelope = await session.call("question", {
      questions: [{ question: "Which?", options: [{ label: "A" }, { label: "B" }] }],
    })
    expect(envelope.metadata.error_code).toBe("denied")
  })
})

describe("what is offered", () => {
  async function offersOf(
    input: object,
    { name = "write", endsWithCall = false, ...options }: HaftOptions & { name?: string; endsWithCall?: boolean } = {},
  ) {
    const asked: AskRequest[] = []
    const ask: Person["ask"] = async (request) => {
      asked.push(request)
      return { answer: "reject" }
    }
    const haft = await world.haft({ toolset: "all", person: { ask, question: async () => [] }, ...options })
    await (await haft.openSession({ endsWithCall })).call(name, input)
    return asked[0]?.offers
  }
  const saveProjectRule: NonNullable<HaftOptions["hooks"]>["saveProjectRule"] = async (rule) => ({
    ...rule,
    source: { scope: "local" },
  })

  test("everything for an edit in a session that goes on", async () => {
    expect(await offersOf(write)).toEqual(["once", "accept-edits", "session", "project", "reject", "edit"])
    expect(await offersOf({ command: "touch src/n.txt" }, { name: "bash" })).toEqual([
      "once",
      "session",
      "project",
      "reject",
      "edit",
    ])
  })

  test("the same for a command that copies over a file, or into it if it were a folder", async () => {
    expect(await offersOf({ command: "cp src/a.ts top.ts" }, { name: "bash" })).toContain("project")
    writeFileSync(world.path("top.ts"), "two\n")
    expect(await offersOf({ command: "cp src/a.ts top.ts" }, { name: "bash" })).toContain("once")
  })

  test("nothing for the session where the session ends with the call", async () => {
    expect(await offersOf(write, { endsWithCall: true, hooks: { saveProjectRule } })).toEqual([
      "once",
      "project",
      "reject",
      "edit",
    ])
    expect(await offersOf(write, { endsWithCall: true })).toEqual(["once", "reject", "edit"])
  })

  test("once alone for what no rule can settle, and no accepting of edits that are accepted", async () => {
    expect(await offersOf({ file_path: ".npmrc", content: "" })).toEqual(["once", "reject", "edit"])
    const outside = { file_path: ".git/config", content: "" }
    expect(await offersOf(outside, { mode: "accept-edits" })).toEqual(["once", "reject", "edit"])
  })
})

describe("no answer passes a deny", () => {
  const deny: Detector = { id: "never", about: "test", inspect: () => ({ verdict: "deny", reason: "never" }) }
  const rule = { permission: "fs.write", pattern: "src/**", action: "deny" } as const
  const denied: readonly (readonly [string, HaftOptions, string])[] = [
    ["capability", { guard: { grant: { fs: { read: ["{workspace}/**"] } } } }, "capability"],
    ["the manifest", { guard: { manifest: { rules: [rule] } } }, "manifest"],
    ["a rule", { rules: [rule] }, "rules"],
    ["a rule of the administrator", { rules: [{ ...rule, source: { scope: "managed" } }] }, "rules"],
    ["the watchdog", { guard: { detectors: [deny] } }, "watchdog"],
    ["mode plan", { mode: "plan" }, "capability"],
  ]

  test.each(denied)("in advance: %s", async (_name, options, rung) => {
    const { envelope, answers } = await recorded(options, { answer: "once" })
    expect(envelope.metadata.error_code).toBe("denied")
    expect(JSON.stringify(envelope.metadata.details)).toContain(`"rung":"${rung}","verdict":"deny"`)
    expect([isWritten(), answers]).toEqual([false, undefined])
  })

  test("of a person, where the watchdog objects when the answer arrives", async () => {
    let isOpen = false
    const detector: Detector = {
      ...{ id: "late", about: "test" },
      inspect: () => (isOpen ? { verdict: "deny", reason: "never" } : { verdict: "allow" }),
    }
    const ask: Person["ask"] = async () => {
      isOpen = true
      return { answer: "once" }
    }
    const { envelope, answers } = await recorded({
      guard: { detectors: [detector] },
      person: { ask, question: async () => [] },
    })
    expect([envelope.metadata.error_code, isWritten()]).toEqual(["denied", false])
    expect(answers).toEqual([{ answer: "once", by: "person" }])
  })

  test("of a person, where the answer itself is a deny", async () => {
    const { envelope, answers } = await recorded(asking({ answer: "session", rule }))
    expect([envelope.metadata.error_code, isWritten()]).toEqual(["denied", false])
    expect(answers).toEqual([{ answer: "session", by: "person", rule: "fs.write(src/**)" }])
  })
})

test("a caller who gives up while the call is judged keeps the tool from being called", async () => {
  const controller = new AbortController()
  const detector: Detector = {
    ...{ id: "late", about: "test" },
    inspect() {
      controller.abort()
      return { verdict: "allow" }
    },
  }
  const rules = [{ permission: "fs.write", pattern: "**", action: "allow" }] as const
  const events: string[] = []
  const haft = await world.haft({
    guard: { detectors: [detector] },
    rules,
    hooks: { onEvent: ({ type }) => events.push(type) },
  })
  const session = await haft.openSession()
  const envelope = await session.call("write", write, { signal: controller.signal })
  expect(envelope.metadata.error_code).toBe("cancelled")
  expect(isWritten()).toBe(false)
  expect(events).toEqual(["tool-call", "tool-end"])
})

test("the answer is in what session show prints", async () => {
  const { workbench } = await import("./workbench.js")
  const bench = workbench()
  try {
    const { stdout } = await bench.run(["call", "write", "file_path=a", "content=x", "--yes", "--json"])
    const id = (JSON.parse(stdout) as Envelope).metadata.session_id
    expect((await bench.run(["session", "show", id])).stdout).toContain("answer once by the caller, in advance")
    expect(readFileSync(`${bench.work}/a`, "utf8")).toBe("x")
  } finally {
    bench.remove()
  }
})
