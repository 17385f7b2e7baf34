import { existsSync, readFileSync, renameSync, truncateSync, writeFileSync } from "node:fs"
import {
  type AskAnswer,
  type AskRequest,
  defineManifest,
  defineTool,
  type Envelope,
  type NamedEffect,
  type Person,
  type PreviewCall,
  type ToolDefinition,
} from "@haft/contract"
import { dialectNamed } from "@haft/dialects"
import { afterEach, beforeEach, describe, expect, test } from "vitest"
import * as z from "zod"
import type { HaftOptions } from "../src/library/options.js"
import { type LibraryWorld, libraryWorld } from "./library-world.js"

let world: LibraryWorld
beforeEach(async () => {
  world = await libraryWorld({ "src/a.ts": "one\ntwo\nthree\n", ".env": "KEY=5ecret\n" })
})
afterEach(() => world.remove())

/** A person who is shown the question before they answer. */
function person(answer: (request: AskRequest) => AskAnswer | Promise<AskAnswer>) {
  const asked: AskRequest[] = []
  const ask: Person["ask"] = async (request) => {
    asked.push(request)
    return answer(request)
  }
  return { asked, ask, question: async () => [] }
}

async function rejected(name: string, input: object, options: HaftOptions = {}) {
  const somebody = person(() => ({ answer: "reject" }))
  const session = await (await world.haft({ toolset: "all", person: somebody, ...options })).openSession()
  await session.call(name, input)
  return somebody.asked[0]?.preview
}

function codeOf(envelope: Envelope) {
  return envelope.type === "error" ? [envelope.metadata.error_code, envelope.error_text] : ["output", ""]
}

const edited = ["@@ -1,3 +1,3 @@", " one", "-two", "+2", " three"].join("\n")
const envelopePatch = "*** Begin Patch\n*** Update File: src/a.ts\n@@\n one\n-two\n+2\n*** End Patch"

/** A tool that writes nothing, with a preview of its own. */
function oddTool(preview: PreviewCall, effects: readonly NamedEffect[] = []): ToolDefinition {
  const manifest = defineManifest({
    ...{ id: "odd", title: "Odd", description: "Odd", input: z.strictObject({}), output: z.strictObject({}) },
    ...{ requires: { fs: { write: ["{workspace}/**"] } }, kind: "other", tier: "read-only", retry: "safe" },
    ...{ limit: { unit: "bytes", max: 100, past: "paged" }, timeoutMs: 1000, effects: () => effects },
  } as const)
  const words = { title: "Odd", loading: "", done: "" }
  return defineTool({
    ...{ manifest, messages: { en: words, "zh-CN": words }, present: () => [{ type: "text", text: "done" }] as const },
    ...{ execute: async () => ({ execute: async () => ({}) }), examples: async () => ({ examples: [] }) },
    preview: async () => ({ preview }),
  })
}

describe("what a person is shown before they answer", () => {
  test.each([
    ["write", { file_path: "src/a.ts", content: "one\n2\nthree\n" }, "replace"],
    ["edit", { file_path: "src/a.ts", old_string: "two", new_string: "2" }, "change"],
    ["patch", { file_path: "src/a.ts", diff: edited }, "change"],
    ["apply_patch", { patch: envelopePatch }, "change"],
  ])("%s: the change itself, and nothing is changed by showing it", async (tool, input, action) => {
    const preview = await rejected(tool, input)
    expect(preview).toMatchObject({
      files: [{ path: "src/a.ts", action, bytesBefore: 14, bytesAfter: 12, added: 1, removed: 1 }],
    })
    expect(preview?.files?.[0]?.hunks[0]?.lines).toEqual([" one", "-two", "+2", " three"])
    expect(readFileSync(world.path("src/a.ts"), "utf8")).toBe("one\ntwo\nthree\n")
  })

  test("a new file, a move, and what would fail", async () => {
    expect(await rejected("write", { file_path: "new/b.ts", content: "x\n" })).toMatchObject({
      files: [{ path: "new/b.ts", action: "create", bytesAfter: 2, hunks: [{ lines: ["+x"] }] }],
    })
    expect(await rejected("move", { moves: [{ from: "src/a.ts", to: "src/b.ts" }] })).toMatchObject({
      files: [{ path: "src/a.ts", to: "src/b.ts", action: "move" }],
    })
    const failing = await rejected("edit", { file_path: "src/a.ts", old_string: "four", new_string: "4" })
    expect(failing).toEqual({ problem: expect.stringContaining("old_string does not occur") })
  })

  test("the tools of dialects too", async () => {
    const somebody = person(() => ({ answer: "reject" }))
    const session = await (await world.haft({ person: somebody })).openSession()
    const calls = [
      ["claw", "write_file", { path: "src/a.ts", content: "2\n" }],
      ["claw", "edit_file", { path: "src/a.ts", old_string: "two", new_string: "2" }],
      ["asyar", "builtin:fs-write", { path: "src/a.ts", content: "2\n" }],
    ] as const
    for (const [dialect, name, input] of calls) await session.callIn((await dialectNamed(dialect))!, name, input)
    expect(somebody.asked.map(({ preview }) => preview?.files?.[0]?.removed)).toEqual([3, 1, 3])
  })

  test("a file that a rule denies to read is named, and its content goes to nobody", async () => {
    const events: unknown[] = []
    const rules = [{ permission: "fs.write", pattern: ".env", action: "ask" as const }]
    const preview = await rejected(
      "write",
      { file_path: ".env", content: "x" },
      { rules, hooks: { onEvent: (e) => events.push(e) } },
    )
    expect(preview).toMatchObject({ files: [{ path: ".env", action: "replace", hunks: [] }] })
    expect(preview?.files?.[0]?.note).toContain("a rule denies reading it")
    expect(JSON.stringify(events)).toContain('"preview"')
    expect(JSON.stringify(events)).not.toContain("5ecret")
  })

  test("a command: its sandbox and the text of the script behind it", async () => {
    writeFileSync(world.path("package.json"), '{"scripts":{"test":"node check.js"}}')
    expect((await rejected("bash", { command: "npm test" }))?.command).toEqual({
      ...{
        profile: "workspace-write",
        hosts: [],
        protectedNames: [],
        script: expect.stringContaining("node check.js"),
      },
    })
    expect((await rejected("bash", { command: "curl https://registry.example/x" }))?.command).toMatchObject({
      ...{ profile: "workspace-write+net", hosts: ["registry.example:443"] },
    })
    expect((await rejected("bash", { command: "npm test" }, { sandbox: { policy: "off" } }))?.command?.profile).toBe(
      "none",
    )
    expect((await rejected("bash", { command: "echo x > .npmrc" }))?.command?.protectedNames).toEqual([
      world.path(".npmrc"),
    ])
  })

  test("a request: the host that the address really means, which nobody looks up before the answer", async () => {
    const preview = await rejected("web_fetch", { url: "https://docs.example@EVIL.example:8443/docs.example" })
    expect(preview).toEqual({ hosts: [{ host: "evil.example", port: 8443 }] })
  })

  test("it is there for explain where that is asked for", async () => {
    const session = await (await world.haft()).openSession()
    const input = { file_path: "src/a.ts", content: "x" }
    expect((await session.explain("write", input, { preview: true })).preview?.files?.[0]?.action).toBe("replace")
    expect(await session.explain("write", input)).not.toHaveProperty("preview")
    const denied = await session.explain("write", { file_path: "../x", content: "" }, { preview: true })
    expect(denied).not.toHaveProperty("preview")
  })
})

describe("an answer holds for what was shown", () => {
  const overwrite = { file_path: "src/a.ts", content: "mine\n" }

  test.each([
    ["changed", () => writeFileSync(world.path("src/a.ts"), "somebody else\n"), "somebody else\n"],
    ["gone", () => renameSync(world.path("src/a.ts"), world.path("src/b.ts")), false],
  ])("a file that is %s while the question is open is not overwritten", async (_name, change, left) => {
    const somebody = person(() => {
      change()
      return { answer: "once" }
    })
    const session = await (await world.haft({ person: somebody })).openSession()
    const [code, text] = codeOf(await session.call("write", overwrite))
    expect(code).toBe("conflict")
    expect(text).toContain("changed while the question was open")
    expect(existsSync(world.path("src/a.ts")) && readFileSync(world.path("src/a.ts"), "utf8")).toBe(left)
  })

  test("a file that appears where one was to be created is not overwritten", async () => {
    const somebody = person(() => {
      writeFileSync(world.path("new.ts"), "somebody else\n")
      return { answer: "once" }
    })
    const session = await (await world.haft({ person: somebody })).openSession()
    expect(codeOf(await session.call("write", { file_path: "new.ts", content: "mine" }))[0]).toBe("conflict")
    expect(readFileSync(world.path("new.ts"), "utf8")).toBe("somebody else\n")
  })

  test("a file that is another one for the moment in which it is looked at is a conflict, and nobody is asked", async () => {
    const preview: PreviewCall = async (_execute, _input, { files }) => {
      writeFileSync(world.path("src/a.ts"), "harmless\n")
      await files.readAll("src/a.ts", { maxBytes: 100 })
      writeFileSync(world.path("src/a.ts"), "one\ntwo\nthree\n")
      return { files: [] }
    }
    const somebody = person(() => ({ answer: "once" }))
    const tool = oddTool(preview, [{ kind: "fs.write", path: "src/a.ts" }])
    const session = await (await world.haft({ person: somebody, tools: [tool] })).openSession()
    expect(codeOf(await session.call("odd", {}))[0]).toBe("conflict")
    expect(somebody.asked).toEqual([])
  })

  test("a file that a patch deletes is bound too", async () => {
    const somebody = person(() => {
      writeFileSync(world.path("src/a.ts"), "somebody else\n")
      return { answer: "once" }
    })
    const session = await (await world.haft({ toolset: "all", person: somebody })).openSession()
    const patch = "*** Begin Patch\n*** Delete File: src/a.ts\n*** End Patch"
    expect(codeOf(await session.call("apply_patch", { patch }))[0]).toBe("conflict")
    expect(readFileSync(world.path("src/a.ts"), "utf8")).toBe("somebody else\n")
  })

  test("being shown does not count as having read: a change since the model read it is still a conflict", async () => {
    const somebody = person(() => ({ answer: "once" }))
    const session = await (await world.haft({ person: somebody })).openSession()
    await session.call("read", { file_path: "src/a.ts" })
    writeFileSync(world.path("src/a.ts"), "somebody else\n")
    expect(codeOf(await session.call("write", overwrite))[0]).toBe("conflict")
    expect(somebody.asked[0]?.preview?.files?.[0]?.hunks[0]?.lines).toContain("-somebody else")
    expect(readFileSync(world.path("src/a.ts"), "utf8")).toBe("somebody else\n")
  })
})

describe("a preview is bounded", () => {
  test("a file of 8 GB is described at once, and still bound to the answer", async () => {
    writeFileSync(world.path("huge.bin"), "")
    truncateSync(world.path("huge.bin"), 8e9)
    let shownAfterMs = Number.POSITIVE_INFINITY
    let started = 0
    const somebody = person(() => {
      shownAfterMs = performance.now() - started
      truncateSync(world.path("huge.bin"), 8e9)
      return { answer: "once" }
    })
    const session = await (await world.haft({ person: somebody })).openSession()
    for (const [tool, input] of [
      ["write", { file_path: "huge.bin", content: "x" }],
      ["edit", { file_path: "huge.bin", old_string: "a", new_string: "b" }],
    ] as const) {
      started = performance.now()
      // The same size, but a newer time: somebody touched it.
      expect(codeOf(await session.call(tool, input))[0]).toBe("conflict")
      expect(shownAfterMs).toBeLessThan(3_000)
    }
    const [written, changed] = somebody.asked.map(({ preview }) => preview)
    expect(written?.files).toMatchObject([{ action: "replace", bytesBefore: 8e9, note: "too large to compare" }])
    expect(changed?.problem).toContain("8000000000 bytes")
  })

  test.each([
    ["that never ends", () => new Promise<never>(() => undefined), "it was not ready after 2 seconds"],
    ["that throws", () => Promise.reject(new Error("no way")), "no way"],
  ])("one %s does not keep the question back", async (_name, preview, missing) => {
    const tool = oddTool(preview)
    expect(await rejected("odd", {}, { tools: [tool] })).toEqual({ missing })
  })
})
