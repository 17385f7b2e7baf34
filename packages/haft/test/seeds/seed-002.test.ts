import { readFile } from "node:fs/promises"
import { dialectNamed } from "@haft/dialects"
import { definitionFormats } from "@haft/runtime"
import fc from "fast-check"
import { afterEach, expect, test } from "vitest"
import { type LibraryWorld, libraryWorld } from "../library-world.js"
import { workbench } from "../workbench.js"
import { seed002 } from "./seed-002.js"

let world: LibraryWorld | undefined
afterEach(async () => {
  await world?.remove()
  world = undefined
})

interface Result {
  readonly success: boolean
  readonly content: string
  readonly state?: unknown
  readonly error?: { readonly type: string; readonly message: string; readonly body?: { readonly code?: string } }
}

/** Calls as LobeHub's host makes them, in the default sandbox. */
async function speaking(files: Record<string, string> = {}) {
  world = await libraryWorld(files)
  const rules = [{ permission: "*", action: "allow" }] as const
  const session = await (await world.haft({ toolset: "all", rules })).openSession()
  const lobe = (await dialectNamed("lobe"))!
  const call = async (name: string, input: unknown) =>
    (await session.callIn(lobe, name, input, { answer: "once" })).projection.value as Result
  return { session, lobe, call, path: world.path }
}

const command = async (...words: readonly string[]) => {
  const bench = workbench()
  try {
    return await bench.run(words)
  } finally {
    bench.remove()
  }
}

const listed = async (...words: readonly string[]): Promise<Record<string, unknown>[]> =>
  JSON.parse((await command("tools", "--dialect", "lobe", ...words, "--json")).stdout) as never

// The packages, and the arguments of each API as LobeHub's manifests have them: those that are required first.
const packages: Readonly<Record<string, Readonly<Record<string, readonly [readonly string[], readonly string[]]>>>> = {
  "lobe-local-system": {
    listLocalFiles: [["path"], []],
    readLocalFile: [["path"], ["loc"]],
    readLocalFiles: [["paths"], ["loc"]],
    searchLocalFiles: [
      ["keywords"],
      [
        ...["contentContains", "createdAfter", "createdBefore", "modifiedAfter", "modifiedBefore", "directory"],
        ...["exclude", "fileTypes", "limit", "liveUpdate", "sortBy", "sortDirection"],
      ],
    ],
    moveLocalFiles: [["items"], []],
    renameLocalFile: [["path", "newName"], []],
    writeLocalFile: [["path", "content"], []],
    editLocalFile: [["file_path", "old_string", "new_string"], ["replace_all"]],
    runCommand: [
      ["description", "command"],
      ["run_in_background", "timeout"],
    ],
    getCommandOutput: [["shell_id"], ["filter"]],
    killCommand: [["shell_id"], []],
    grepContent: [
      ["pattern"],
      ["path", "glob", "type", "output_mode", "-A", "-B", "-C", "-i", "-n", "head_limit", "multiline"],
    ],
    globLocalFiles: [["pattern"], ["path"]],
  },
  "lobe-web-browsing": {
    search: [["query"], ["searchCategories", "searchEngines", "searchTimeRange"]],
    crawlSinglePage: [["url"], []],
    crawlMultiPages: [["urls"], []],
  },
  "lobe-calculator": {
    calculate: [["expression"], ["precision"]],
    evaluate: [["expression"], ["variables", "precision"]],
    base: [["number", "fromBase", "toBase"], []],
    sort: [["numbers"], ["mode", "reverse", "precision"]],
    differentiate: [["expression", "variable"], []],
  },
  "lobe-gtd": {
    createPlan: [["goal", "description", "context"], []],
    updatePlan: [["planId"], ["goal", "description", "context", "completed"]],
    createTodos: [["adds"], []],
    updateTodos: [["operations"], []],
    clearTodos: [["mode"], []],
    execTask: [
      ["description", "instruction"],
      ["inheritMessages", "runInClient", "timeout"],
    ],
    execTasks: [["tasks"], []],
  },
}

const names = Object.entries(packages).flatMap(([identifier, apis]) =>
  Object.keys(apis).map((api) => `${identifier}____${api}`),
)

const asked: Readonly<Record<string, string>> = {
  moveLocalFiles: "required",
  writeLocalFile: "required",
  editLocalFile: "required",
  runCommand: "required",
  createPlan: "required",
  createTodos: "required",
  clearTodos: "always",
}

interface Definition {
  readonly name?: string
  readonly description?: string
  readonly function?: Definition
}

const proofs: Readonly<Record<string, () => Promise<void>>> = {
  "002-1": async () => {
    expect((await listed()).map(({ id }) => id)).toEqual(names)
    for (const identifier of Object.keys(packages)) expect(identifier).toMatch(/^lobe-[a-z]+(?:-[a-z]+)*$/)
  },
  "002-2": async () => {
    for (const format of definitionFormats.filter((each) => !each.endsWith("-strict"))) {
      const definitions = (await listed("--format", format)) as Definition[]
      const inner = definitions.map((each) => (each.function ?? each) as Definition & Record<string, unknown>)
      expect(inner.map(({ name }) => name)).toEqual(names)
      for (const { name, description, ...rest } of inner) {
        const schema = (rest.input_schema ?? rest.inputSchema ?? rest.parameters ?? rest.parametersJsonSchema) as {
          readonly properties: object
          readonly required?: readonly string[]
        }
        const [identifier, api] = name!.split("____") as [string, string]
        const [required, optional] = packages[identifier]![api]!
        expect(description).toMatch(/^[A-Z][\s\S]*\.$/)
        expect(Object.keys(schema.properties).sort(), name!).toEqual([...required, ...optional].sort())
        expect([...(schema.required ?? [])].sort(), name!).toEqual([...required].sort())
      }
    }
  },
  "002-3": async () => {
    const { call } = await speaking({ "empty.txt": "" })
    for (const [name, input] of [
      ["lobe-local-system____readLocalFile", { path: "empty.txt" }],
      ["lobe-local-system____runCommand", { description: "d", command: "true" }],
      ["lobe-local-system____globLocalFiles", { pattern: "nothing-*" }],
      ["lobe-gtd____clearTodos", { mode: "all" }],
      ["lobe-local-system____readLocalFile", { path: "none" }],
    ] as const) {
      expect((await call(name, input)).content, name).not.toBe("")
    }
  },
  "002-4": async () => {
    const { call } = await speaking()
    const plan = { goal: "GOAL-WORDS", description: "DESCRIPTION-WORDS", context: "CONTEXT-WORDS" }
    const made = await call("lobe-gtd____createPlan", plan)
    expect(JSON.stringify(made.state)).not.toMatch(/-WORDS/)
    expect(made.state).toMatchObject({ plan: { id: expect.any(String), completed: false } })
    const operations = [{ type: "add", text: "one" }]
    expect((await call("lobe-gtd____updateTodos", { operations })).state).toEqual({
      appliedCount: 1,
      todos: { items: [{ status: "todo", text: "one" }], updatedAt: expect.any(String) },
    })
    const written = await call("lobe-local-system____writeLocalFile", { path: "a.txt", content: "CONTENT-WORDS" })
    expect(written.state).toEqual({ bytesWritten: 13, success: true })
  },
  "002-5": async () => {
    const { call } = await speaking({ "a.txt": "x\n" })
    const type = async (name: string, input: unknown) => {
      const { success, error } = await call(name, input)
      expect(success).toBe(false)
      return [error!.type, error!.body?.code]
    }
    const local = "lobe-local-system____"
    expect(await type(`${local}readLocalFile`, { path: "none" })).toEqual(["NotFound", "not_found"])
    expect(await type(`${local}readLocalFile`, {})).toEqual(["InvalidArguments", "invalid_args"])
    const edit = { file_path: "a.txt", old_string: "absent", new_string: "y" }
    expect(await type(`${local}editLocalFile`, edit)).toEqual(["Conflict", "conflict"])
    expect(await type(`${local}readLocalFile`, { path: "/etc/shadow" })).toEqual(["PermissionDenied", "denied"])
    const task = { description: "d", instruction: "i" }
    expect(await type("lobe-gtd____execTask", task)).toEqual(["NotConfigured", "not_configured"])
  },
  "002-6": async () => {
    const { call } = await speaking({ "a.txt": "x\n" })
    const good = await call("lobe-local-system____readLocalFile", { path: "a.txt" })
    expect(Object.keys(good)).toEqual(["success", "content", "state"])
    const bad = await call("lobe-local-system____readLocalFile", { path: "none" })
    expect(Object.keys(bad)).toEqual(["success", "content", "error"])
    expect(bad.content).toContain(bad.error!.message)
  },
  "002-7": async () => {
    const files = Object.fromEntries(Array.from({ length: 1_001 }, (_, at) => [`f/${at}.txt`, ""]))
    const { call } = await speaking(files)
    const { content } = await call("lobe-local-system____globLocalFiles", { pattern: "f/*.txt" })
    const last = content.split("\n").slice(-2)
    expect(last[0]).not.toMatch(/\]\[/)
    expect(content).not.toMatch(/\[[^\]\n]*files[^\]\n]*\]\[/)
    expect(content).toMatch(/\n\[Truncated: .*open it with lobe-local-system____readLocalFile\]$/)
    const missing = await call("lobe-local-system____readLocalFile", { path: "none" })
    expect(missing.content).toContain("lobe-local-system____globLocalFiles")
  },
  "002-8": async () => {
    const { call } = await speaking()
    for (const [name, type] of [
      ["lobe-calculator____nope", "ApiNotFound"],
      ["lobe-calculator/nope", "ApiNotFound"],
      ["lobe-weather____today", "ExecutorNotFound"],
      ["read", "ExecutorNotFound"],
    ] as const) {
      const expected = { success: false, content: expect.stringMatching(/^Cannot call/), error: { type } }
      expect(await call(name, {}), name).toMatchObject(expected)
      const { stdout, code } = await command("call", name, "--dialect", "lobe", "--args", "{}", "--json")
      expect([JSON.parse(stdout), code]).toEqual([expect.objectContaining({ success: false }), 2])
      expect(JSON.parse(stdout)).toMatchObject(expected)
    }
  },
  "002-10": async () => {
    const { session } = await speaking()
    const { text } = await session.prompt({ dialect: "lobe" })
    for (const [identifier, apis] of Object.entries(packages)) {
      const part = text.split("\n\n").find((each) => each.startsWith(`With ${identifier} `))!
      for (const api of Object.keys(apis)) expect(part).toContain(api)
    }
    for (const batch of ["readLocalFiles once", "crawlMultiPages once", "moveLocalFiles moves and renames several"]) {
      expect(text).toContain(batch)
    }
  },
  "002-11": async () => {
    for (const { id, descriptor } of await listed()) {
      const [identifier, apiName] = String(id).split("____") as [string, string]
      const humanIntervention = asked[apiName] ?? "never"
      expect(descriptor).toEqual({ identifier, apiName, meta: { title: expect.any(String) }, humanIntervention })
    }
  },
  "002-12": async () => {
    for (const { id, title, titles } of await listed()) {
      const { en, "zh-CN": zh } = titles as Record<string, string>
      expect(title).toBe(en)
      expect(en, String(id)).toMatch(/^[A-Z]/)
      expect(zh, String(id)).toMatch(/[\u4e00-\u9fff]/)
    }
    expect((await listed("--lang", "zh-CN"))[0]!.title).toBe("列出文件")
  },
  "002-13": async () => {
    const { call } = await speaking()
    let refused = 0
    const anything = fc.oneof(
      fc.anything({ maxDepth: 2, withNullPrototype: true }),
      fc.record({ path: fc.anything(), paths: fc.anything(), expression: fc.nat(), operations: fc.anything() }),
      fc.constantFrom(null, undefined, "{", [], 7, { path: "../../etc/shadow" }, { paths: [] }, { url: "file:///etc" }),
    )
    for (const name of names) {
      await fc.assert(
        fc.asyncProperty(anything, async (input) => {
          const result = await call(name, input)
          if (result.success) return
          refused += 1
          expect(result).toMatchObject({ content: expect.stringMatching(/./), error: { message: expect.any(String) } })
          expect(result.error!.type).toMatch(/^[A-Z][A-Za-z]+$/)
          expect(result.error!.body?.code).not.toBe("internal")
          expect(result.content).not.toMatch(/\b(?:read_files|web_search_engines|grep_search|crawl_pages|job_output)\b/)
        }),
        { numRuns: 12 },
      )
    }
    expect(refused).toBeGreaterThan(200)
  },
  "002-14": async () => {
    const { call } = await speaking()
    expect(await call("lobe-calculator____calculate", { expression: "2 / 3" })).toMatchObject({
      success: true,
      content: "0.6666666667",
    })
    const numbers = { numbers: ["9.11", "9.9"], mode: "largest" }
    expect((await call("lobe-calculator____sort", numbers)).content).toBe("9.9")
  },
  "002-15": async () => {
    const { call } = await speaking({ "a.txt": "one\n", "b.txt": "two\n" })
    const run = (command: string) => call("lobe-local-system____runCommand", { description: "d", command })
    expect(await run("cat a.txt; exit 3")).toMatchObject({ success: true, state: { exitCode: 3, stdout: "one\n" } })
    expect(await run("kill -9 $$")).toMatchObject({ state: { exitCode: null, error: "Ended by SIGKILL" } })
    const read = await call("lobe-local-system____readLocalFiles", { paths: ["a.txt", "b.txt", "c.txt"] })
    expect(read.state).toMatchObject({
      files: [{ content: "one\n" }, { content: "two\n" }, { filename: "c.txt", error: expect.any(String) }],
    })
  },
  "002-16": async () => {
    const { call } = await speaking()
    await call("lobe-gtd____createTodos", { adds: ["a", "b"] })
    const operations = [
      { type: "complete", index: 0 },
      { type: "update", index: 1, newText: "B" },
    ]
    expect((await call("lobe-gtd____updateTodos", { operations })).state).toMatchObject({
      todos: {
        items: [
          { status: "completed", text: "a" },
          { status: "todo", text: "B" },
        ],
      },
    })
    expect((await call("lobe-gtd____clearTodos", { mode: "completed" })).state).toMatchObject({ clearedCount: 1 })
  },
}

for (const { id, statement, state, waits, test: place, title } of seed002) {
  if (state === "waits") test.todo(`${id} ${statement} (waits for ${waits})`)
  else if (title !== undefined)
    test(`${id} ${statement} (${place})`, async () => expect(await readFile(place!, "utf8")).toContain(title))
  else if (state === "works") test(`${id} ${statement}`, proofs[id]!, 60_000)
}

test("every statement that works has its proof here", () => {
  expect(Object.keys(proofs)).toEqual(
    seed002.flatMap(({ id, state, title }) => (state === "works" && title === undefined ? [id] : [])),
  )
})
