import { writeFileSync } from "node:fs"
import { expect, test } from "vitest"
import { libraryWorld } from "./library-world.js"
import { sandboxIsHere, shellWorld } from "./shell-world.js"

const results = (text: string) => (JSON.parse(text) as { results: { id: string }[] }).results.map(({ id }) => id)

test("a file that the last call wrote is found by the next, and one that it moved away is not", async () => {
  const world = await libraryWorld({ "first.txt": "" })
  try {
    const rules = [{ permission: "fs.write", pattern: "{workspace}/**", action: "allow" }] as const
    const session = await (await world.haft({ toolset: "all", rules })).openSession()
    const asyar = session.executor({ dialect: "asyar" })
    const search = async (query: string) => results(await asyar.execute("builtin:search", JSON.stringify({ query })))
    expect(await search("first.txt")).toContain("file_first.txt")
    for (const name of ["zebra-one.txt", "zebra-two.txt", "zebra-three.txt"]) {
      await asyar.execute("builtin:fs-write", JSON.stringify({ path: world.path(name), content: "" }))
      expect(await search(name)).toContain(`file_${name}`)
    }
    await session.call("move", { moves: [{ from: "zebra-one.txt", to: "giraffe.txt" }] }, { answer: "once" })
    expect(await search("giraffe")).toContain("file_giraffe.txt")
    expect(await search("zebra-one")).not.toContain("file_zebra-one.txt")
    // What somebody else writes is found a little later; nothing waits for it.
    writeFileSync(world.path("elsewhere.txt"), "")
    expect(await search("first.txt")).toContain("file_first.txt")
  } finally {
    await world.remove()
  }
})

test.skipIf(!sandboxIsHere)("a file that a program wrote in the sandbox is found by the next call", async () => {
  await using world = await shellWorld({ "a.txt": "" }, { rules: [{ permission: "exec", action: "allow" }] })
  const asyar = world.session.executor({ dialect: "asyar" })
  const search = async (query: string) => results(await asyar.execute("builtin:search", JSON.stringify({ query })))
  expect(await search("okapi")).toEqual([])
  const made = await asyar.execute("builtin:shell-exec", '{"command":"touch","args":["okapi.txt"]}')
  expect(JSON.parse(made)).toMatchObject({ exitCode: 0 })
  expect(await search("okapi")).toEqual(["file_okapi.txt"])
})
