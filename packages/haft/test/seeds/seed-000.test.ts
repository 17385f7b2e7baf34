import { chmodSync, writeFileSync } from "node:fs"
import { readFile } from "node:fs/promises"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { tool } from "@haft/contract"
import { dialectNamed } from "@haft/dialects"
import { createRegistry, definitionFormats } from "@haft/runtime"
import fc from "fast-check"
import { afterEach, expect, test } from "vitest"
import * as z from "zod"
import { type LibraryWorld, libraryWorld } from "../library-world.js"
import { workbench } from "../workbench.js"
import { seed000 } from "./seed-000.js"

let world: LibraryWorld | undefined
afterEach(async () => {
  await world?.remove()
  world = undefined
})

/** Calls as the launcher's host makes them, in the default sandbox. */
async function speaking(files: Record<string, string> = {}, grants: readonly string[] = []) {
  world = await libraryWorld(files)
  const rules = [{ permission: "*", action: "allow" }] as const
  const session = await (await world.haft({ toolset: "all", rules, network: { grants } })).openSession()
  const asyar = (await dialectNamed("asyar"))!
  const call = async (name: string, input: unknown) =>
    (await session.callIn(asyar, `builtin:${name}`, input, { answer: "once" })).projection
  const value = async (name: string, input: unknown) => {
    const ended = await call(name, input)
    expect(ended.success, ended.text).toBe(true)
    return ended.value
  }
  const error = async (name: string, input: unknown) => {
    const ended = await call(name, input)
    expect(ended.success, JSON.stringify(input)).toBe(false)
    expect(ended.value).toEqual({ error: { code: expect.any(String), message: expect.stringMatching(/./) } })
    return (ended.value as { error: { code: string; message: string } }).error
  }
  return { session, asyar, call, value, error, path: world.path }
}

// The master table and the parameters of the reference: id, display name, and each argument with type, need and description.
const reference: readonly (readonly [string, string, Readonly<Record<string, readonly [string, boolean, string]>>])[] =
  [
    ["calculator", "Calculator", { expression: ["string", true, "Math expression to evaluate, e.g. '2 + 2 * 3'"] }],
    ["clipboard-read", "Clipboard Read", {}],
    ["clipboard-write", "Clipboard Write", { text: ["string", true, "The text to write to the clipboard."] }],
    ["fs-read", "Read File", { path: ["string", true, "Absolute path to the file."] }],
    [
      "fs-write",
      "Write File",
      {
        path: ["string", true, "Absolute path to the file."],
        content: ["string", true, "Text content to write."],
      },
    ],
    [
      "shell-exec",
      "Run Shell Command",
      {
        command: ["string", true, "Executable to run."],
        args: ["array", false, "Arguments."],
        cwd: ["string", false, "Working directory (optional)."],
      },
    ],
    [
      "web-fetch",
      "Fetch URL",
      {
        url: ["string", true, "Absolute http(s) URL."],
        method: ["string", false, "HTTP method (default GET)."],
        headers: ["object", false, "String-string headers."],
        body: ["string", false, "Request body."],
        timeoutMs: ["number", false, "Timeout in milliseconds."],
      },
    ],
    [
      "search",
      "Search Launcher Index",
      {
        query: ["string", true, "Search query."],
        limit: ["integer", false, "Max results to return (default 10)."],
      },
    ],
  ]

interface Schema {
  readonly properties: Readonly<Record<string, { readonly type: string; readonly description: string }>>
  readonly required?: readonly string[]
}

function checkSchema(schema: unknown, parameters: (typeof reference)[number][2]): void {
  const { properties, required = [] } = schema as Schema
  const found = Object.entries(properties).map(([key, { type, description }]) => [
    key,
    [type, required.includes(key), description],
  ])
  expect(Object.fromEntries(found)).toEqual(parameters)
}

const schemaOf = (definition: unknown): unknown => {
  const { function: inner, ...outer } = definition as Record<string, never>
  const { input_schema, inputSchema, parameters, parametersJsonSchema } = (inner ?? outer) as Record<string, unknown>
  return input_schema ?? inputSchema ?? parameters ?? parametersJsonSchema
}

const nameOf = (definition: unknown): string => {
  const { name, function: inner } = definition as { name?: string; function?: { name: string } }
  return name ?? inner!.name
}

async function listed(...words: readonly string[]): Promise<Record<string, unknown>[]> {
  const bench = workbench()
  try {
    return JSON.parse((await bench.run(["tools", "--dialect", "asyar", ...words, "--json"])).stdout) as never
  } finally {
    bench.remove()
  }
}

const proofs: Readonly<Record<string, () => Promise<void>>> = {
  "000-1": async () => {
    expect((await listed()).map(({ id }) => id)).toEqual(reference.map(([id]) => `builtin:${id}`))
  },
  "000-2": async () => {
    for (const format of definitionFormats) {
      const names = (await listed("--format", format)).map(nameOf)
      const separator = format === "haft" ? ":" : "__"
      expect(names, format).toEqual(reference.map(([id]) => `builtin${separator}${id}`))
      if (format !== "haft") for (const name of names) expect(name).toMatch(/^[a-zA-Z0-9_-]{1,64}$/)
    }
  },
  "000-3": async () => {
    const { session, asyar } = await speaking()
    const long = { ...asyar, tools: [{ ...asyar.tools[0]!, name: `ext:${"n".repeat(90)}` }] }
    const [sent] = session.tools({ format: "anthropic", dialect: long }).map(nameOf)
    expect(sent).toHaveLength(64)
    for (const [dialect, name] of [
      [asyar, "builtin__calculator"],
      [long, sent!],
    ] as const) {
      expect((await session.callIn(dialect, name, { expression: "1 + 1" })).projection.value).toBe(2)
    }
  },
  "000-5": async () => {
    for (const format of definitionFormats.filter((each) => !each.endsWith("-strict"))) {
      const definitions = await listed("--format", format)
      for (const [at, [, title, parameters]] of reference.entries()) {
        checkSchema(schemaOf(definitions[at]), parameters)
        if (format === "mcp") expect(definitions[at]).toMatchObject({ title, annotations: { title } })
      }
    }
    expect((await listed()).map(({ title }) => title)).toEqual(reference.map(([, title]) => title))
    expect((await listed("--lang", "zh-CN"))[0]).toMatchObject({ title: "计算器" })
  },
  "000-6": async () => {
    for (const { id, descriptor, input_schema } of await listed()) {
      const bare = String(id).slice("builtin:".length)
      expect(descriptor).toEqual({
        id: bare,
        fully_qualified_id: id,
        source: "builtin",
        parameters: input_schema,
      })
      expect(bare).not.toContain(":")
    }
  },
  "000-7": async () => {
    const { value } = await speaking()
    for (const [expression, expected] of [
      ["2 + 2 * 3", 8],
      ["6 * 7", 42],
      ["6.28 / 2", 3.14],
      ['"hel" + "lo"', "hello"],
      ["1 < 2", true],
      ["5/2", 2],
      ["math::sqrt(16)", 4],
      ['len("abc")', 3],
      ["9007199254740993", "9007199254740993"],
    ] as const) {
      expect(await value("calculator", { expression }), expression).toBe(expected)
    }
  },
  "000-8": async () => {
    const { error } = await speaking()
    for (const expression of ["1, 2", "", "()", "a = 1", "2 +", "(1", "x", "1 / 0", "2^10000"]) {
      expect((await error("calculator", { expression })).code, expression).toBe("invalid_args")
    }
  },
  "000-9": async () => {
    const { value } = await speaking()
    const written = (await value("clipboard-write", { text: "zwei ✓" })) as { ok: boolean; source?: string }
    expect(written.ok).toBe(true)
    const read = (await value("clipboard-read", {})) as { text: string; source?: string }
    expect(read.text).toBe("zwei ✓")
    // Only the fields of the reference where there is a clipboard; else it is said that there is none.
    expect([undefined, "session"]).toContain(read.source)
    expect(read.source).toBe(written.source)
  },
  "000-10": async () => {
    const { value, error } = await speaking()
    await value("clipboard-write", { text: "kept" })
    for (const input of [{}, { text: 1 }, { text: null }]) await error("clipboard-write", input)
    expect(await value("clipboard-read", {})).toMatchObject({ text: "kept" })
  },
  "000-11": async () => {
    const content = `${"line\n".repeat(60_000)}ende ✓`
    const { value, error, path } = await speaking({ "a.txt": content })
    expect(await value("fs-read", { path: path("a.txt") })).toEqual({ content })
    writeFileSync(path("b.txt"), Uint8Array.of(0xff, 0x61))
    expect((await error("fs-read", { path: path("b.txt") })).code).toBe("unsupported")
    expect((await error("fs-read", { path: path("none") })).code).toBe("not_found")
    writeFileSync(path("large.txt"), "x".repeat(10 * 1024 * 1024 + 1))
    expect((await error("fs-read", { path: path("large.txt") })).message).not.toContain("use a part")
    expect((await listed())[3]!.description).toContain("10 MiB")
  },
  "000-12": async () => {
    const { value, error, path } = await speaking({ "a.txt": "old" })
    for (const name of ["a.txt", "new.txt"]) {
      expect(await value("fs-write", { path: path(name), content: "grüße" })).toEqual({ ok: true, bytesWritten: 7 })
      expect(await value("fs-read", { path: path(name) })).toEqual({ content: "grüße" })
    }
    expect((await error("fs-write", { path: path("no/folder.txt"), content: "x" })).code).toBe("not_found")
  },
  "000-13": async () => {
    const { value } = await speaking()
    const script = { command: "sh", args: ["-c", "echo out; echo err >&2; exit 3"] }
    expect(await value("shell-exec", script)).toEqual({ stdout: "out\n", stderr: "err\n", exitCode: 3 })
  },
  "000-14": async () => {
    const { value } = await speaking()
    for (const signal of ["KILL", "TERM"]) {
      const killed = await value("shell-exec", { command: "sh", args: ["-c", `kill -${signal} $$`] })
      expect(killed).toEqual({ stdout: "", stderr: "", exitCode: null })
    }
  },
  "000-15": async () => {
    const { value, error, path } = await speaking({ "plain.sh": "echo ran\n" })
    chmodSync(path("plain.sh"), 0o644)
    expect((await error("shell-exec", { command: "no-such-program-anywhere" })).code).toBe("not_found")
    expect((await error("shell-exec", { command: "./absent.sh" })).code).toBe("not_found")
    expect((await error("shell-exec", { command: "./plain.sh" })).code).toBe("denied")
    await error("shell-exec", { command: "touch", args: ["made", 1] })
    expect(await value("shell-exec", { command: "ls" })).toMatchObject({ stdout: "plain.sh\n" })
  },
  "000-16": async () => {
    const { value, path } = await speaking({ "sub/x": "" })
    expect(await value("shell-exec", { command: "printf", args: ["\\377"] })).toMatchObject({ stdout: "\ufffd" })
    expect(await value("shell-exec", { command: "ls", cwd: path("sub") })).toMatchObject({ stdout: "x\n" })
  },
  "000-17": async () => {
    const { description } = (await listed())[5]!
    expect(description).toContain("120 seconds")
    expect(description).toContain("32,000 characters")
    const { value } = await speaking()
    const printed = (await value("shell-exec", { command: "seq", args: ["100000"] })) as { stdout: string }
    expect(printed.stdout).toMatch(/^1\n2\n[\s\S]*characters left out; more is in \/[\s\S]*\n100000\n$/)
  },
  "000-18": async () => {
    await serving(async (url, grant) => {
      const { value } = await speaking({}, [grant])
      expect(await value("web-fetch", { url })).toEqual({
        status: 200,
        statusText: "OK",
        headers: expect.objectContaining({ "x-method": "GET" }),
        body: "<p>hello</p>",
        ok: true,
      })
      expect(await value("web-fetch", { url: `${url}missing` })).toMatchObject({ status: 404, ok: false })
    })
  },
  "000-19": async () => {
    await serving(async (url, grant) => {
      const { value, error } = await speaking({}, [grant])
      for (const [method, sent] of [
        ["POST", "POST"],
        ["BREW", "GET"],
      ] as const) {
        expect(await value("web-fetch", { url, method })).toMatchObject({ headers: { "x-method": sent } })
      }
      expect((await error("web-fetch", { url, headers: { a: { b: "c" } } })).code).toBe("invalid_args")
    })
  },
  "000-20": async () => {
    const { value, error } = await speaking({ "report.md": "", "src/report-two.md": "" })
    const { results } = (await value("search", { query: "report" })) as { results: { score: number }[] }
    expect(Object.keys(results[0]!)).toEqual(["id", "name", "type", "score"])
    const scores = results.map(({ score }) => score)
    expect(scores).toEqual([...scores].sort((a, b) => b - a))
    expect(await value("search", { query: "report", limit: 0 })).toEqual({ results: [] })
    for (const limit of [-1, 1.5]) expect((await error("search", { query: "a", limit })).code).toBe("invalid_args")
    const { results: many } = (await value("search", { query: "" })) as { results: unknown[] }
    expect(many.length).toBeLessThanOrEqual(10)
  },
  "000-21": async () => {
    const { value, path } = await speaking({ "a.txt": "" })
    expect(await value("search", { query: "okapi" })).toEqual({ results: [] })
    await value("fs-write", { path: path("okapi.txt"), content: "" })
    expect(await value("search", { query: "okapi" })).toMatchObject({ results: [{ id: "file_okapi.txt" }] })
  },
  "000-23": async () => {
    const make = () =>
      tool({ id: "twice", description: "Does it. Use never.", input: z.object({}), execute: async () => ({}) })
    expect(() => createRegistry([make(), make()])).toThrow('the id "twice" is already taken')
  },
  "000-25": async () => {
    const { call, asyar } = await speaking()
    let refused = 0
    const anything = fc.oneof(
      fc.anything({ maxDepth: 2, withNullPrototype: true }),
      fc.record({ path: fc.anything(), command: fc.integer(), url: fc.constant("file:///etc/passwd"), text: fc.nat() }),
      fc.constantFrom(null, undefined, "{", [], 7, { __proto__: null }, { expression: "(".repeat(9_000) }),
    )
    for (const { name } of asyar.tools) {
      await fc.assert(
        fc.asyncProperty(anything, async (input) => {
          const { success, value, text } = await call(name.slice("builtin:".length), input)
          if (success) return
          refused += 1
          expect(value).toEqual({ error: { code: expect.any(String), message: expect.stringMatching(/^Cannot /) } })
          expect((value as { error: { code: string } }).error.code).not.toBe("internal")
          expect(text).not.toMatch(/\b(?:read_text|write_text|http_request|index_search|clipboard_write)\b/)
        }),
        { numRuns: 25 },
      )
    }
    expect(refused).toBeGreaterThan(100)
  },
}

/** A server of this machine that says which method it got. */
async function serving(use: (url: string, grant: string) => Promise<void>): Promise<void> {
  const server = createServer((request, response) => {
    response.writeHead(request.url === "/missing" ? 404 : 200, {
      "content-type": "text/html",
      "x-method": String(request.method),
    })
    response.end("<p>hello</p>")
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const { port } = server.address() as AddressInfo
  try {
    await use(`http://127.0.0.1:${port}/`, `127.0.0.1:${port}`)
  } finally {
    server.close()
  }
}

for (const { id, statement, state, waits, test: place, title } of seed000) {
  if (state === "waits") test.todo(`${id} ${statement} (waits for ${waits})`)
  else if (title === undefined) test(`${id} ${statement}`, proofs[id]!, 60_000)
  else test(`${id} ${statement} (${place})`, async () => expect(await readFile(place!, "utf8")).toContain(title))
}

test("every statement that does not wait has its proof here", () => {
  expect(Object.keys(proofs)).toEqual(
    seed000.flatMap(({ id, state, title }) => (state === "waits" || title !== undefined ? [] : [id])),
  )
})
