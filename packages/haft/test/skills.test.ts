import { describe, expect, test } from "vitest"
import type { HaftOptions } from "../src/library/options.js"
import { libraryWorld } from "./library-world.js"
import { sandboxIsHere } from "./shell-world.js"

async function open(files: Record<string, string>, options: HaftOptions = {}) {
  const world = await libraryWorld(files)
  const haft = await world.haft({ toolset: "locked", workspace: { trusted: true }, ...options })
  return { session: await haft.openSession(), [Symbol.asyncDispose]: () => world.remove() }
}

const skill = (tools = "") =>
  `---\nname: release\ndescription: Use before a release\n${tools}---\nRead the changes first.\n`

const script = skill(
  [
    "tools:",
    "  - name: greet",
    "    description: Says hello",
    "    parameters: {type: object, properties: {who: {type: string}}, required: [who]}",
    "    backend: {type: script, interpreter: sh, script: 'echo hello $TOOL_ARG_WHO | tee out.txt'}",
    "",
  ].join("\n"),
)

const place = ".agents/skills/release/SKILL.md"

describe("the prompt of a session", () => {
  test("[C2-123] [C2-136] [C2-139] [C2-141] has instructions, then the toolsets, then names of skills and never their text", async () => {
    await using world = await open({ "AGENTS.md": "Use tabs.", [place]: skill() })
    const { text, warnings } = await world.session.prompt()
    const order = ["Use tabs.", "Find files with glob", "release: Use before a release"].map((part) =>
      text.indexOf(part),
    )
    expect(order.every((at) => at >= 0)).toBe(true)
    expect(order).toEqual([...order].sort((a, b) => a - b))
    expect(text).not.toContain("Read the changes first")
    expect(warnings).toEqual([])
  })
})

describe("a tool of a skill", () => {
  test.skipIf(!sandboxIsHere)("is judged, confined and recorded like any other", async () => {
    await using world = await open({ [place]: script })
    const id = "skill__release__greet"
    expect(world.session.toolDefinitions().map(({ name }) => name)).toContain(id)
    expect((await world.session.call(id, { who: "you" })).metadata.error_code).toBe("denied")
    const envelope = await world.session.call(id, { who: "$(touch x)" }, { answer: "once" })
    expect(envelope).toMatchObject({ type: "output", data: { stdout: "hello $(touch x)\n" } })
    expect((await world.session.call(id, { whom: "you" })).metadata.error_code).toBe("invalid_args")
  })

  test("is not there where the folder is not trusted", async () => {
    await using world = await open({ [place]: script }, { workspace: { trusted: false } })
    expect((await world.session.call("skill__release__greet", { who: "you" })).metadata.error_code).toBe("not_found")
    expect((await world.session.call("skill", { name: "release" })).type).toBe("output")
  })

  test("[C2-148] [C2-150] among many tools is offered once a search found it", async () => {
    await using world = await open({ [place]: script }, { toolset: "all" })
    const offered = () => world.session.toolDefinitions().some(({ name }) => name === "skill__release__greet")
    expect(offered()).toBe(false)
    expect(await world.session.call("tool_search", { query: "says hello" })).toMatchObject({
      data: { matches: [{ id: "skill__release__greet" }], unlisted: 1 },
    })
    expect(offered()).toBe(true)
    // Listed now, as the tools of the toolset are: a search finds neither.
    for (const query of ["says hello", "select:read", "read a file", ""]) {
      expect(await world.session.call("tool_search", { query })).toMatchObject({ data: { matches: [], unlisted: 0 } })
    }
  })

  test("that names a catalogue tool makes it visible", async () => {
    const visible = skill(
      "tools:\n  - {name: calculator, description: x, parameters: {type: object}, backend: {type: builtin}}\n",
    )
    await using world = await open({ [place]: visible })
    expect(await world.session.call("calculator", { expression: "6*7" })).toMatchObject({ data: { result: 42 } })
  })
})
