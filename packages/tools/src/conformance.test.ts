import { existsSync, readdirSync } from "node:fs"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import type { ToolDefinition } from "@haft/contract"
import { createRegistry, jsonSchemaOf } from "@haft/runtime"
import { checkTool, type OpenedContext, type TemporaryWorkspace, testCall } from "@haft/testkit"
import { build } from "esbuild"
import { describe, expect, test } from "vitest"
import { openPorts } from "../test/tool-bench.js"
import { catalog } from "./catalog.js"
import { toolsets } from "./toolset.js"

const source = dirname(fileURLToPath(import.meta.url))

/** The folder or file of each tool: every one of a family but what the family shares. */
const places = readdirSync(source, { withFileTypes: true })
  .filter((family) => family.isDirectory() && !["generated", "ui"].includes(family.name))
  .flatMap((family) => readdirSync(join(source, family.name)).map((name) => ({ family: family.name, name })))
  .filter(({ name }) => name !== "shared" && name !== "shared.ts" && !name.endsWith(".test.ts"))
  // A folder that a former version left behind is empty.
  .filter(({ family, name }) => name.endsWith(".ts") || existsSync(join(source, family, name, "index.ts")))

async function makeContext(definition: ToolDefinition, workspace: TemporaryWorkspace): Promise<OpenedContext> {
  const { ports, close } = await openPorts(workspace)
  return { context: testCall(definition, ports).context, close }
}

// Their examples need a machine image, a language server or a web server: the tools' own tests set these up and run them.
const ownGround = new Set([
  ...["box", "lsp", "web-search", "web-fetch", "http-request"],
  // And these need a person, settings, skills or other tools.
  ...["question", "plan-exit", "skill", "tool-search", "config"],
])

function notListed(name: string): never {
  throw new Error(`${name} has no tool that is in catalog.ts`)
}

describe.each(places)("$family/$name", ({ family, name }) => {
  test("[C2-1] [C2-3] [C2-4] [C2-5] [C2-193] it conforms, and its examples run on the real ports", async () => {
    const file = name.endsWith(".ts") ? name : join(name, "index.ts")
    const module = (await import(join(source, family, file))) as Record<string, unknown>
    const tool = catalog.find((each) => Object.values(module).includes(each))
    const folder = name.replace(/\.ts$/, "")
    const problems = await checkTool(tool ?? notListed(name), {
      folder,
      ...(ownGround.has(folder) ? {} : { makeContext }),
    })
    expect(problems).toEqual([])
  })
})

test("the catalogue has a folder for each tool and each id once", () => {
  expect(catalog).toHaveLength(places.length)
  expect(createRegistry(catalog).tools).toBe(catalog)
  expect(() => createRegistry([...catalog, catalog[0]!])).toThrow("already taken")
})

test("[C2-187] the seven everyday definitions together cost less than 1000 tokens, the locked ones less than 2200", () => {
  const tokens = (id: string) => {
    const { description, input } = catalog.find(({ manifest }) => manifest.id === id)!.manifest
    const definition = { name: id, description, input_schema: jsonSchemaOf(input, "input") }
    return Math.ceil(Buffer.byteLength(JSON.stringify(definition)) / 4)
  }
  const sum = (ids: readonly string[]) => ids.reduce((total, id) => total + tokens(id), 0)
  expect(sum(["read", "write", "edit", "bash", "grep", "glob", "ls"])).toBeLessThan(1000)
  expect(sum(toolsets.find(({ name }) => name === "locked")!.tools)).toBeLessThan(2200)
})

test("[C2-195] write points to creation and edit to revision", () => {
  const description = (id: string) => catalog.find(({ manifest }) => manifest.id === id)!.manifest.description
  expect(description("write")).toMatch(/^Creates .* use edit/)
  expect(description("edit")).toMatch(/write/)
})

test("what is special about a tool is said by its manifest", () => {
  const ids = (is: (manifest: (typeof catalog)[number]["manifest"]) => unknown) =>
    catalog.flatMap(({ manifest }) => (is(manifest) ? [manifest.id] : []))
  expect(ids((manifest) => "inAutoMode" in manifest && manifest.inAutoMode === "never")).toEqual(["http_request"])
  expect(ids((manifest) => "looksAtTools" in manifest && manifest.looksAtTools)).toEqual([
    "tool_search",
    "index_search",
  ])
  expect(ids((manifest) => "outlivesCall" in manifest && manifest.outlivesCall)).toEqual(["job_start"])
  expect(ids((manifest) => !("toolset" in manifest))).toEqual([])
})

test("[C2-190] no tool takes roots, credentials or limits of the host as an argument", () => {
  const keys = catalog.flatMap(({ manifest }) => Object.keys(manifest.input.def.shape))
  expect(keys.filter((key) => /root|token|secret|password|key$|provider|model|locale/i.test(key))).toEqual([])
})

test("the catalogue loads no execute half and no node module", async () => {
  const { metafile } = await build({
    entryPoints: [join(source, "index.ts")],
    bundle: true,
    splitting: true,
    format: "esm",
    outdir: "out",
    write: false,
    metafile: true,
    // A browser: a node module anywhere in a tool is an error here.
    platform: "browser",
    conditions: ["haft-source"],
    external: ["zod", "diff", "iconv-lite", "jschardet"],
    logLevel: "silent",
  })
  const loaded = new Set<string>()
  const visit = (file: string) => {
    const output = metafile.outputs[file]
    if (output === undefined || loaded.has(file)) return
    loaded.add(file)
    for (const each of output.imports) if (each.kind === "import-statement") visit(each.path)
  }
  visit("out/index.js")
  const inputs = [...loaded].flatMap((file) => Object.keys(metafile.outputs[file]!.inputs))
  expect(inputs.filter((file) => /(execute|examples)\.ts$/.test(file))).toEqual([])
  expect(inputs.filter((file) => file.endsWith("files/read/index.ts"))).toHaveLength(1)
})
