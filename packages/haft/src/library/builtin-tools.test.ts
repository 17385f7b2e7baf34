import { catalog, loadTool } from "@haft/tools"
import { expect, test } from "vitest"
import { builtinTools } from "./session-setting.js"

test("every tool of the catalogue can be loaded alone, and is the same one", async () => {
  for (const tool of catalog) expect(await loadTool(tool.manifest.id), tool.manifest.id).toBe(tool)
})

test("only the named tools are there, in the named order", async () => {
  const tools = await builtinTools({ toolset: "all" }, { only: ["todo", "read"] })
  expect(tools.map(({ manifest }) => manifest.id)).toEqual(["todo", "read"])
})

test.each(["raed", "toString", "__proto__"])("%s is no tool", async (id) => {
  await expect(builtinTools({}, { only: [id] })).rejects.toMatchObject({ code: "invalid_args" })
})
