import { mkdirSync, readdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import type { AskAnswer, Envelope, Person } from "@haft/contract"
import { afterEach, beforeEach, describe, expect, test } from "vitest"
import type { HookSettings } from "../src/hooks/hook-entry.js"
import type { Session } from "../src/library/session.js"
import { type LibraryWorld, libraryWorld } from "./library-world.js"
import { running, sandboxIsHere } from "./shell-world.js"

let world: LibraryWorld
beforeEach(async () => {
  world = await libraryWorld({ "a.txt": "alpha\n", ".env": "SECRET=1\n" })
})
afterEach(() => world.remove())

async function session(commands: HookSettings, person: "headless" | Person = "headless"): Promise<Session> {
  const haft = await world.haft({ toolset: "all", person, hooks: { commands } })
  return (await haft.openSession()) as Session
}

const read = (open: Session, file_path = "a.txt") => open.call("read", { file_path })
const rungOf = (envelope: Envelope) =>
  (envelope.metadata.details as { ladder?: { rungs: { rung: string; verdict: string }[] } } | undefined)?.ladder?.rungs
    .filter(({ rung }) => rung === "hooks")
    .map(({ verdict }) => verdict)
/** A line that prints this answer. */
const saying = (answer: unknown) => `printf '%s' '${JSON.stringify(answer)}'`
const decision = (permissionDecision: string, more: object = {}) =>
  saying({ hookSpecificOutput: { hookEventName: "PreToolUse", permissionDecision, ...more } })

function person(...answers: readonly AskAnswer[]): Person & { readonly reasons: string[] } {
  const waiting = [...answers]
  const reasons: string[] = []
  return {
    reasons,
    async ask(request) {
      reasons.push(request.ladder.reason)
      return waiting.shift() ?? { answer: "reject" }
    },
    question: async () => [],
  }
}

describe.runIf(sandboxIsHere)("hooks before a call", () => {
  test("one that says nothing changes nothing", async () => {
    const open = await session({ PreToolUse: ["true"] })
    expect(await read(open)).toMatchObject({ type: "output" })
  })

  test("gets the call as JSON on its standard input, with the names that other programs use", async () => {
    const spoken = await session({ PreToolUse: ["echo got; cat"] })
    const said = (await read(spoken)).metadata.notes?.[0] ?? ""
    const message = JSON.parse(said.slice(said.indexOf("{")))
    expect(message).toMatchObject({
      hook_event_name: "PreToolUse",
      tool_name: "read",
      tool_input: { file_path: "a.txt" },
      cwd: world.root,
      session_id: spoken.id,
    })
    expect(JSON.parse(message.tool_input_json)).toEqual(message.tool_input)
    expect(message.tool_output).toBeUndefined()
  })

  test.each([
    ["exit code 2", "echo not here >&2; exit 2", "not here"],
    ["deny", decision("deny", { permissionDecisionReason: "not this file" }), "not this file"],
    ["block", saying({ decision: "block", reason: "blocked" }), "blocked"],
    ["continue false", saying({ continue: false, stopReason: "stop now" }), "stop now"],
    ["allow beside exit code 2", `${decision("allow")}; exit 2`, "it does not say why"],
    [
      "allow beside continue false",
      saying({ continue: false, hookSpecificOutput: { permissionDecision: "allow" } }),
      "",
    ],
  ])("refuses with %s", async (_name, command, reason) => {
    const envelope = await read(await session({ PreToolUse: [command] }))
    expect(envelope).toMatchObject({ type: "error", metadata: { error_code: "denied" } })
    expect(envelope.type === "error" && envelope.error_text).toContain(reason)
    expect(rungOf(envelope)).toEqual(["deny"])
  })

  test.each([
    ["an odd exit code", "exit 3", "ended with code 3"],
    ["a program that is not there", "/nowhere/hook", "ended with code 127"],
    ["half of an answer", "printf '{\"decision\":'", "no JSON"],
    ["a decision that nobody knows", decision("alow"), '"alow" is not known'],
    ["a list instead of arguments", decision("allow", { updatedInput: [] }), "updatedInput"],
    ["an answer without end", `printf '{"a":"'; head -c 3000000 /dev/zero | tr '\\0' x; printf '"}'`, "too long"],
    ["being killed", "kill -9 $$", "it was killed"],
    ["a number for hookSpecificOutput", saying({ hookSpecificOutput: 3 }), "no object"],
  ])("fails with %s, and refuses the call", async (_name, command, reason) => {
    const envelope = await read(await session({ PreToolUse: [command] }))
    expect(envelope).toMatchObject({ type: "error", metadata: { error_code: "denied" } })
    expect(envelope.type === "error" && envelope.error_text).toContain(reason)
  })

  test("one that hangs is ended with its children, and refuses the call", async () => {
    const open = await session({ PreToolUse: [{ command: "sleep 4861 & sleep 4862", timeout: 0.5 }] })
    const envelope = await read(open)
    expect(envelope).toMatchObject({ type: "error", error_text: expect.stringContaining("no answer in time") })
    expect([...running("sleep 4861"), ...running("sleep 4862")]).toEqual([])
  })

  test("children that stay behind are ended, and the answer counts", async () => {
    const open = await session({ PreToolUse: ["(setsid sleep 4863 >/dev/null 2>&1 &) ; exit 0"] })
    expect(await read(open)).toMatchObject({ type: "output" })
    expect(running("sleep 4863")).toEqual([])
  })

  test("a call that is cancelled does not wait for it", async () => {
    const open = await session({ PreToolUse: ["sleep 9"] })
    const stop = new AbortController()
    const since = performance.now()
    const call = open.call("read", { file_path: "a.txt" }, { signal: stop.signal })
    setTimeout(() => stop.abort(), 300)
    expect(await call).toMatchObject({ type: "error", metadata: { error_code: "cancelled" } })
    expect(performance.now() - since).toBeLessThan(6000)
  })

  test("allow is no opinion: what asks still asks, what is denied stays denied", async () => {
    const open = await session({ PreToolUse: [decision("allow"), saying({ decision: "approve" })] })
    expect(await open.call("write", { file_path: "b.txt", content: "x" })).toMatchObject({
      metadata: { error_code: "denied", details: { rule: expect.any(String) } },
    })
    expect(await read(open, ".env")).toMatchObject({ metadata: { error_code: "denied" } })
  })

  test("is not run for what rules deny already", async () => {
    const open = await session({ PreToolUse: ["exit 2"] })
    expect(rungOf(await read(open, ".env"))).toEqual([])
  })

  test("ask asks a person, also for what rules allow, and headless refuses", async () => {
    const asking = [decision("ask", { permissionDecisionReason: "really?" })]
    expect(await read(await session({ PreToolUse: asking }))).toMatchObject({ metadata: { error_code: "denied" } })
    const somebody = person({ answer: "once" }, { answer: "session" })
    const open = await session({ PreToolUse: asking }, somebody)
    expect(await read(open)).toMatchObject({ type: "output" })
    expect(somebody.reasons[0]).toContain("asks: really?")
    // No rule settles it: the next call asks again.
    expect(await read(open)).toMatchObject({ type: "output" })
    expect(await read(open)).toMatchObject({ metadata: { error_code: "denied" } })
    expect(somebody.reasons).toHaveLength(3)
  })

  test("other arguments are validated and judged like those of a model", async () => {
    const changed = (updatedInput: object) => ({ PreToolUse: [decision("allow", { updatedInput })] })
    writeFileSync(world.path("b.txt"), "beta\n")
    expect(await read(await session(changed({ file_path: "b.txt" })))).toMatchObject({
      data: { content: expect.stringContaining("beta") },
    })
    expect(await read(await session(changed({ file_path: ".env" })))).toMatchObject({
      metadata: { error_code: "denied", details: { decided: expect.stringContaining(".env") } },
    })
    expect(await read(await session(changed({ file_path: 7 })))).toMatchObject({
      error_text: expect.stringContaining("a hook changed the arguments"),
    })
  })

  test("every hook judges what runs, also one before the hook that changes it", async () => {
    const notB = "if grep -q b.txt; then exit 2; fi"
    writeFileSync(world.path("b.txt"), "beta\n")
    const open = await session({ PreToolUse: [notB, decision("allow", { updatedInput: { file_path: "b.txt" } })] })
    expect(await read(open)).toMatchObject({ metadata: { error_code: "denied" } })
  })

  test("arguments that a person edits are shown to it too", async () => {
    const open = await session(
      { PreToolUse: ["if grep -q forbidden; then exit 2; fi"] },
      person({ answer: "edit", arguments: { file_path: "b.txt", content: "forbidden" } }),
    )
    expect(await open.call("write", { file_path: "b.txt", content: "x" })).toMatchObject({
      metadata: { error_code: "denied" },
      error_text: expect.stringContaining("the hook"),
    })
  })

  test("looks at the tools of its matcher alone", async () => {
    const open = await session({
      PreToolUse: [{ matcher: "Write|WebFetch", hooks: [{ type: "command", command: "exit 2" }] }],
    })
    expect(await read(open)).toMatchObject({ type: "output" })
    const refused = [
      await open.call("write", { file_path: "b.txt", content: "x" }, { answer: "once" }),
      await open.call("web_fetch", { url: "https://example.org/" }, { answer: "once" }),
    ]
    expect(refused.map((envelope) => rungOf(envelope))).toEqual([["deny"], ["deny"]])
  })

  test("can write nothing, reach nothing, and read no secret", async () => {
    const attempts = [
      "echo x > made.txt",
      "cat .env >&2",
      'node -e \'require("net").connect(80,"1.1.1.1").on("error",()=>process.exit(9)).on("connect",()=>process.exit(0))\'',
    ]
    for (const attempt of attempts) {
      const open = await session({ PreToolUse: [`if ${attempt}; then echo done; fi; exit 0`] })
      const { type, metadata } = await read(open)
      expect([type, metadata.notes ?? []]).toEqual(["output", []])
    }
    expect(readdirSync(world.root).sort()).toEqual([".env", "a.txt"])
  })

  test("a flood of output is bounded and leaves no file", async () => {
    const open = await session({ PreToolUse: ["head -c 20000000 /dev/zero | tr '\\0' y"] })
    const { type, metadata } = await read(open)
    expect(type).toBe("output")
    expect(metadata.notes?.join("").length).toBeLessThan(2200)
    const sessions = join(world.home, "sessions")
    const left = readdirSync(sessions).flatMap((folder) => readdirSync(join(sessions, folder, "out")))
    expect(left).toEqual([])
  })

  test("explain names hooks and runs none", async () => {
    const open = await session({ PreToolUse: ["exit 2", "exit 2"] })
    const { ladder } = await open.explain("read", { file_path: "a.txt" })
    expect(ladder.verdict).toBe("allow")
    expect(ladder.rungs.find(({ rung }) => rung === "hooks")).toMatchObject({
      verdict: "skipped",
      reason: "2 hooks are asked when the call is made",
    })
  })
})

describe.runIf(sandboxIsHere)("hooks after a call", () => {
  test("add a note to the result, which they got", async () => {
    const open = await session({ PostToolUse: ["grep -c alpha; echo seen"], PostToolUseFailure: ["echo failed it"] })
    const { metadata } = await read(open)
    expect(metadata.notes).toEqual(['the hook "grep -c alpha; echo seen": 1\nseen'])
    const missing = await read(open, "none.txt")
    expect(missing).toMatchObject({ type: "error", metadata: { notes: ['the hook "echo failed it": failed it'] } })
  })

  test.each(["exit 2", "exit 1", "printf '{'", "sleep 9"])(
    "one that fails (%s) leaves the result and says so",
    async (command) => {
      const { type, metadata } = await read(await session({ PostToolUse: [{ command, timeout: 0.5 }] }))
      expect(type).toBe("output")
      expect(metadata.notes).toHaveLength(1)
    },
  )

  test("are not run for a call that was refused", async () => {
    const open = await session({ PostToolUseFailure: ["echo seen"], PostToolUse: ["echo seen"] })
    expect((await read(open, ".env")).metadata.notes).toBeUndefined()
  })
})

describe("hooks that cannot be used", () => {
  test.each([
    [{ PreToolUse: [{ matcher: "^Bash.*$", command: "true" }] }, "matcher"],
    [{ PreToolUse: [{ command: "" }] }, "command"],
    [{ PreToolUse: [{ type: "prompt", command: "x" }] }, "only commands"],
    [{ PreToolUse: [{ hooks: [{ command: "x", hooks: [] }] }] }, "hooks"],
    [{ PreToolUse: [{ command: "x", timeout: -1 }] }, "timeout"],
    [{ PreToolUse: "true" }, "list"],
    [{ BeforeTool: ["true"] }, "no such option"],
  ])("%j is refused before anything runs", async (commands, words) => {
    await expect(world.haft({ hooks: { commands: commands as never } })).rejects.toThrow(words)
  })

  test("a matcher that names no tool is told", async () => {
    const events: string[] = []
    const haft = await world.haft({
      hooks: {
        commands: { PreToolUse: [{ matcher: "Bahs|bash|mcp__x__y|web_*", command: "true" }] },
        onEvent: (event) => void (event.type === "error" && events.push(event.message)),
      },
    })
    await haft.openSession()
    expect(events).toEqual(['A hook looks at "Bahs", and there is no such tool: it guards nothing'])
  })
})

test("a folder has hooks only when it is trusted", async () => {
  const { workbench } = await import("./workbench.js")
  const bench = workbench()
  try {
    bench.write("a.txt", "alpha\n")
    bench.write("haft.jsonc", JSON.stringify({ hooks: { PreToolUse: ["exit 2"] } }))
    const untrusted = await bench.run(["call", "read", "file_path=a.txt"])
    expect(untrusted).toMatchObject({ code: 0, stderr: expect.stringContaining("hooks.PreToolUse is ignored") })
    mkdirSync(bench.config, { recursive: true })
    writeFileSync(join(bench.config, "config.jsonc"), JSON.stringify({ hooks: { PreToolUse: ["exit 2"] } }))
    if (sandboxIsHere) expect(await bench.run(["call", "read", "file_path=a.txt"])).toMatchObject({ code: 6 })
  } finally {
    bench.remove()
  }
})
