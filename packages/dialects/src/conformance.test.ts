import { existsSync, readdirSync } from "node:fs"
import { basename, dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import type { ToolDefinition } from "@haft/contract"
import { createRegistry } from "@haft/runtime"
import { checkTool, type OpenedContext, type TemporaryWorkspace, testCall } from "@haft/testkit"
import { catalog } from "@haft/tools"
import { describe, expect, test } from "vitest"
import { openPorts } from "../../tools/test/tool-bench.js"
import { dialectTools } from "./catalog.js"
import { dialectNames, loadDialect } from "./dialects.js"

const source = dirname(fileURLToPath(import.meta.url))
const places = readdirSync(source, { recursive: true, encoding: "utf8" })
  .filter((path) => basename(dirname(path)) === "tools" && !path.endsWith(".test.ts"))
  .filter((path) => path.endsWith(".ts") || existsSync(join(source, path, "index.ts")))
  .map((path) => ({ path, folder: basename(path, ".ts") }))

async function makeContext(definition: ToolDefinition, workspace: TemporaryWorkspace): Promise<OpenedContext> {
  const { ports, close } = await openPorts(workspace)
  return { context: testCall(definition, ports).context, close }
}

// Their examples need a web server: the tools' own tests set one up and run them.
const withServer = new Set(["web-search-engines", "web-digest", "crawl-pages"])

describe.each(places)("$path", ({ path, folder }) => {
  test("it conforms, and its examples run on the real ports", async () => {
    const file = path.endsWith(".ts") ? path : join(path, "index.ts")
    const module = (await import(join(source, file))) as Record<string, unknown>
    const tool = dialectTools.find((each) => Object.values(module).includes(each))
    expect(tool, "it is in catalog.ts").toBeDefined()
    const problems = await checkTool(tool!, { folder, ...(withServer.has(folder) ? {} : { makeContext }) })
    expect(problems).toEqual([])
  })
})

test("each tool has a folder, and an id that no built-in tool has", () => {
  expect(dialectTools).toHaveLength(places.length)
  expect(createRegistry([...catalog, ...dialectTools]).tools).toHaveLength(catalog.length + 27)
})

test("[C2-190] no tool of a dialect takes roots, credentials or limits of the host as an argument", async () => {
  const rows = (await Promise.all(dialectNames.map((name) => loadDialect(name)))).flatMap(({ tools }) => tools)
  const inputs = [...dialectTools.map(({ manifest }) => manifest.input), ...rows.map(({ input }) => input)]
  const keys = inputs.flatMap((input) => Object.keys((input as { shape?: object }).shape ?? {}))
  expect(keys.length).toBeGreaterThan(100)
  // `model` of claw's Agent is a wish that the host may refuse; the document has it.
  expect(keys.filter((key) => /root|token|secret|password|credential|apikey|provider|locale/i.test(key))).toEqual([])
})
