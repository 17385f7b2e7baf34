import type { HttpRequest, SkillBackend, SkillTool, ToolDefinition } from "@haft/contract"
import { createRegistry, encodeWireName, jsonSchemaOf } from "@haft/runtime"
import fc from "fast-check"
import { afterEach, describe, expect, test } from "vitest"
import { failure } from "../../../../test/failure.js"
import { openBench, type ToolBench } from "../../../../test/tool-bench.js"
import { requestOf } from "./request-of.js"
import { skillTools } from "./skill-tools.js"

let bench: ToolBench
afterEach(() => bench?.close())

/** A place for an argument in a template of a skill. */
const hole = (name: string) => `\${${name}}`
const anything = { type: "object", additionalProperties: true }

function made(backend: SkillBackend, parameters: SkillTool["parameters"] = anything): ToolDefinition {
  const { tools, problems } = skillTools({
    name: "my-skill",
    tools: [{ name: "run", description: "Runs it", parameters, backend }],
  })
  expect(problems).toEqual([])
  return tools[0]!
}

const script = (interpreter: string, text: string): SkillBackend => ({
  type: "script",
  interpreter,
  interpreterArguments: [],
  script: text,
})

describe("definitions", () => {
  test("[C2-6] a tool of a skill is an ordinary tool with an id that providers and the registry take", () => {
    const tool = made(script("sh", "true"))
    expect(tool.manifest.id).toBe("skill__my-skill__run")
    expect(encodeWireName(tool.manifest.id)).toBe(tool.manifest.id)
    expect(createRegistry([tool]).find("skill__my-skill__run")).toBe(tool)
    expect(tool.manifest.command?.({})).toEqual({ kind: "argv", argv: ["sh", "-c", "true"] })
  })

  test("a builtin only makes a tool of the catalogue visible", () => {
    const backend = { type: "builtin", tool: "grep" } as const
    const made = skillTools({ name: "s", tools: [{ name: "grep", description: "", parameters: {}, backend }] })
    expect(made).toEqual({ tools: [], visible: ["grep"], problems: [] })
    expect(skillTools({ name: "s" })).toEqual({ tools: [], visible: [], problems: [] })
  })

  test("parameters become the schema of the arguments; unknown keys are an error unless the skill says otherwise", () => {
    const tool = made(script("sh", "true"), {
      type: "object",
      properties: { count: { type: "integer", description: "How many" }, mode: { enum: ["a", "b"] } },
      required: ["count"],
    })
    const { input } = tool.manifest
    expect(input.safeParse({ count: 1, mode: "a" }).success).toBe(true)
    for (const bad of [{}, { count: "1" }, { count: 1, mode: "c" }, { count: 1, other: 1 }]) {
      expect(input.safeParse(bad).success).toBe(false)
    }
    expect(jsonSchemaOf(input, "input")).toMatchObject({ properties: { count: { description: "How many" } } })
  })

  test("a pattern of a skill is shown and never run", () => {
    const evil = {
      type: "object",
      properties: { text: { type: "string", pattern: "^(a+)+$", description: "Letters" } },
    }
    const { input } = made(script("sh", "true"), evil).manifest
    expect(input.safeParse({ text: `${"a".repeat(60)}!` }).success).toBe(true)
    expect(JSON.stringify(jsonSchemaOf(input, "input"))).toContain("Letters (pattern ^(a+)+$)")
    expect(JSON.stringify(jsonSchemaOf(input, "input"))).not.toContain('"pattern":')
  })

  const deep = (levels: number): object =>
    levels === 0 ? { type: "string" } : { type: "array", items: deep(levels - 1) }

  test.each([
    [{ type: "string" }, "type object"],
    [{ type: "object", properties: { a: { $ref: "#" } } }, "$ref"],
    [{ type: "object", properties: { a: { type: "string", pattern: ["^(a+)+$"] } } }, "a pattern that is no text"],
    [{ type: "object", patternProperties: { "(a+)+": {} } }, "patternProperties"],
    [{ type: "object", properties: { a: deep(40) } }, "too large"],
    [{ type: "object", properties: { a: { type: "nonsense" } } }, "left out"],
  ])("parameters %j are refused with the reason", (parameters, reason) => {
    const backend = script("sh", "true")
    const { tools, problems } = skillTools({ name: "s", tools: [{ name: "t", description: "", parameters, backend }] })
    expect(tools).toEqual([])
    expect(problems).toEqual([expect.stringContaining(reason)])
  })

  test("an interpreter that takes no program as an argument is refused", () => {
    const tools = [{ name: "t", description: "", parameters: {}, backend: script("constructor", "x") }]
    expect(skillTools({ name: "s", tools }).problems).toEqual([expect.stringContaining('interpreter "constructor"')])
  })
})

describe("scripts and binaries", () => {
  test("arguments come as JSON on standard input and as variables", async () => {
    bench = await openBench()
    const text = 'cat; printf "|%s|%s|%s" "$TOOL_ARG_NAME" "$TOOL_ARG_THE_COUNT" "$TOOL_ARGS"'
    const input = { name: "a b; $(id)", "the-count": 3 }
    const { data, text: words } = await bench.run(made(script("sh", text)), input)
    const json = JSON.stringify(input)
    expect(data).toEqual({ stdout: `${json}|a b; $(id)|3|${json}`, stderr: "", exit_code: 0, timed_out: false })
    expect(words).toContain("a b; $(id)")
  })

  test("another exit code is a result, and what was printed comes with it", async () => {
    bench = await openBench()
    const { data, text } = await bench.run(made(script("sh", "echo no >&2; exit 3")), {})
    expect(data).toMatchObject({ exit_code: 3, stderr: "no\n" })
    expect(text).toBe("[stderr]\nno\n[exit code 3]")
  })

  test("a value stays one word of a binary and cannot become an option", async () => {
    bench = await openBench()
    const printf = {
      type: "binary",
      path: "/usr/bin/printf",
      argumentsTemplate: ["[%s]", `x${hole("a")}`, hole("b"), hole("c")],
    }
    const tool = made(printf as SkillBackend)
    const { data } = await bench.run(tool, { a: "-1 *", b: "two words; id" })
    expect(data.stdout).toBe(`[x-1 *][two words; id][${hole("c")}]`)
    expect((await failure(bench.run(tool, { a: "1", b: "--version" }))).code).toBe("invalid_args")
  })

  test("a program that is missing, or would have to be fetched, is not_configured", async () => {
    bench = await openBench()
    const far = { type: "binary", url: "https://x.test/b", sha256: "a".repeat(64), argumentsTemplate: [] } as const
    expect((await failure(bench.run(made(far), {}))).code).toBe("not_configured")
    expect(() => made(far).manifest.command?.({})).toThrow("would have to be fetched")
  })

  test("NUL characters and arguments that no system takes are refused", async () => {
    bench = await openBench()
    const tool = made(script("sh", "true"))
    expect((await failure(bench.run(tool, { a: "x\0y" }))).code).toBe("invalid_args")
    expect((await failure(bench.run(tool, { a: "x".repeat(100_001) }))).code).toBe("too_large")
  })
})

describe("http", () => {
  const http = (more: Partial<Extract<SkillBackend, { type: "http" }>> = {}) =>
    ({ type: "http", url: "https://x.test/", method: "GET", headers: {}, timeoutMs: 30_000, ...more }) as const

  test("the host is fixed, named as an effect, and redirects are not followed", async () => {
    const tool = made(
      http({ url: `https://x.test:8443/items/${hole("id")}?q=${hole("q")}`, headers: { "x-key": "k" } }),
    )
    expect(tool.manifest.requires).toEqual({ net: { hosts: ["x.test:8443"] } })
    expect(tool.manifest.effects({})).toEqual([{ kind: "net.fetch", host: "x.test", port: 8443, method: "GET" }])
    const sent: HttpRequest[] = []
    const network = {
      async fetch(request: HttpRequest) {
        sent.push(request)
        const body = new TextEncoder().encode("found")
        return { url: request.url, status: 200, statusText: "OK", headers: {}, body, cut: false, redirects: [] }
      },
    }
    const { execute } = await tool.execute()
    const output = await execute({ id: "a/b?c#d", q: "x&y=z" }, { network } as never)
    expect(output).toEqual({ status: 200, ok: true, content_type: "", body: "found" })
    expect(sent).toMatchObject([
      { url: "https://x.test:8443/items/a%2Fb%3Fc%23d?q=x%26y%3Dz", headers: { "x-key": "k" }, maxRedirects: 0 },
    ])
  })

  test.each(["..", ".", "../../admin", "%2e%2e/x/..", "a/../b", "..\\b"])("the path value %j is refused", (id) => {
    expect(() => requestOf(http({ url: `https://x.test/items/${hole("id")}` }), { id })).toThrow(
      "Cannot send the request",
    )
  })

  test("whatever the values are, the request goes to the host and the folder of the template", () => {
    const backend = http({ url: `https://x.test/items/${hole("a")}/${hole("b")}?q=${hole("c")}` })
    const value = fc.oneof(
      fc.string({ unit: "grapheme" }),
      fc.constantFrom("..", "@evil.test", "//evil.test", "\\", "%2e"),
    )
    fc.assert(
      fc.property(value, value, value, (a, b, c) => {
        try {
          const { host, pathname } = new URL(requestOf(backend, { a, b, c }).url)
          expect(host).toBe("x.test")
          expect(pathname.startsWith("/items/")).toBe(true)
        } catch (error) {
          expect((error as Error).message).toMatch(/^Cannot send the request/)
        }
      }),
    )
  })

  test("a JSON body stays JSON, whatever the values are", () => {
    const bodyTemplate = `{"name": "${hole("name")}!", "list": ${hole("list")}, "none": ${hole("none")}}`
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), fc.array(fc.jsonValue()), (name, list) => {
        const { body } = requestOf(http({ method: "POST", bodyTemplate }), { name, list, none: null })
        expect(JSON.parse(body!)).toEqual({ name: `${name}!`, list: JSON.parse(JSON.stringify(list)), none: null })
      }),
    )
  })

  test("without a template the arguments are the body of a request that has one", () => {
    expect(requestOf(http({ method: "POST" }), { a: 1 })).toMatchObject({
      body: '{"a":1}',
      headers: { "content-type": "application/json" },
    })
    expect(requestOf(http(), { a: 1 })).not.toHaveProperty("body")
    const form = {
      method: "POST",
      bodyTemplate: `a=${hole("a")}`,
      headers: { "Content-Type": "application/x-www-form-urlencoded" },
    }
    expect(requestOf(http(form), { a: "1&b=2" }).body).toBe("a=1%26b%3D2")
    expect(requestOf(http({ method: "POST", bodyTemplate: `say ${hole("a")}` }), { a: 5 }).body).toBe("say 5")
  })
})
