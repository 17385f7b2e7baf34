import type { Dialect } from "@haft/contract"
import { dialectNamed } from "@haft/dialects"
import { expect, test } from "vitest"
import { libraryWorld } from "./library-world.js"
import { sandboxIsHere } from "./shell-world.js"

interface Offered {
  readonly name: string
}

const long = "release-notes-for-the-whole-platform-team"

test.skipIf(!sandboxIsHere)("a skill's tool is called by the shortened name that it was offered under", async () => {
  const tools = [
    "tools:",
    "  - name: collect-everything",
    "    description: Says hello",
    "    backend: {type: script, interpreter: sh, script: 'echo hello'}",
  ].join("\n")
  const world = await libraryWorld({
    [`.agents/skills/${long}/SKILL.md`]: `---\nname: ${long}\ndescription: Use before a release\n${tools}\n---\nText.\n`,
  })
  try {
    const session = await (await world.haft({ toolset: "locked", workspace: { trusted: true } })).openSession()
    const offered = (session.tools({ format: "anthropic" }) as Offered[]).filter(({ name }) =>
      name.startsWith("skill__"),
    )
    expect(offered.map(({ name }) => name)).toEqual([expect.stringMatching(/^skill__release-notes.+_[0-9a-f]{12}$/)])
    expect(offered[0]!.name.length).toBeLessThanOrEqual(64)
    const envelope = await session.call(offered[0]!.name, {}, { answer: "once" })
    expect(envelope).toMatchObject({ type: "output", data: { stdout: "hello\n" } })
    expect((await session.call(offered[0]!.name.slice(0, -1), {})).metadata.error_code).toBe("not_found")
  } finally {
    await world.remove()
  }
})

test("a row of a dialect is called by the shortened name that it was offered under", async () => {
  const world = await libraryWorld()
  try {
    const session = await (await world.haft()).openSession()
    const asyar = (await dialectNamed("asyar"))!
    const name = `extension.with.a.long.name:${"x".repeat(70)}`
    const dialect: Dialect = { ...asyar, tools: [{ ...asyar.tools[0]!, name }] }
    const [offered] = session.tools({ format: "anthropic", dialect }) as Offered[]
    expect(offered!.name).toMatch(/^extension--with--a--long--name__x{19}_[0-9a-f]{12}$/)
    for (const each of [offered!.name, name]) {
      expect((await session.callIn(dialect, each, { expression: "7 / 2" })).projection.value).toBe(3)
    }
  } finally {
    await world.remove()
  }
})
