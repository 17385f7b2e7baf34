import { afterEach, beforeEach, describe, expect, test } from "vitest"
import { type Workbench, workbench } from "../../test/workbench.js"

let bench: Workbench
beforeEach(() => {
  bench = workbench()
})
afterEach(() => bench.remove())

describe("haft tools", () => {
  test("lists every tool and how to go on", async () => {
    const { code, stdout } = await bench.run(["tools"])
    expect(code).toBe(0)
    for (const id of ["read", "write", "edit", "glob", "grep", "ls", "patch", "todo"])
      expect(stdout).toMatch(new RegExp(`^${id} `, "m"))
    expect(stdout).toContain("haft call NAME")
  })

  test("[C2-1] [C2-3] [C2-4] --json prints an array with id, description, schema and requires", async () => {
    const tools = JSON.parse((await bench.run(["tools", "--json"])).stdout) as Record<string, unknown>[]
    expect(tools.length).toBeGreaterThanOrEqual(8)
    for (const tool of tools) {
      expect(tool.id).toMatch(/^[a-z_]+$/)
      expect(typeof tool.description).toBe("string")
      expect(tool.input_schema).toMatchObject({ type: "object" })
      expect(tool.requires).toBeDefined()
    }
  })

  test("--ndjson prints one tool a line", async () => {
    const { stdout } = await bench.run(["tools", "--ndjson"])
    const lines = stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as { id: string })
    expect(lines.map(({ id }) => id)).toContain("grep")
  })

  test("shows one tool with its arguments", async () => {
    const { stdout } = await bench.run(["tools", "grep"])
    expect(stdout).toContain("pattern")
    expect(stdout).toContain("required")
    expect(stdout).toContain("200 entries")
  })

  test("help for a tool is its page, however it is asked for", async () => {
    const { stdout } = await bench.run(["tools", "grep"])
    for (const words of [
      ["help", "grep"],
      ["grep", "--help"],
      ["grep", "TODO", "-h"],
    ])
      expect(await bench.run(words)).toMatchObject({ code: 0, stdout })
    for (const words of [
      ["call", "--help"],
      ["call", "grep", "--help"],
      ["help", "call"],
    ])
      expect((await bench.run(words)).stdout).toContain("Usage: haft call TOOL")
    expect(await bench.run(["help", "gerp"])).toMatchObject({ code: 2, stdout: "" })
  })

  test("without a command --json gets its failure as a document too", async () => {
    const { code, stdout, stderr } = await bench.run(["--json"])
    expect({ code, stderr }).toEqual({ code: 2, stderr: "" })
    expect(JSON.parse(stdout)).toMatchObject({ type: "error", metadata: { error_code: "invalid_args" } })
  })

  test("an unknown tool names the nearest and exits 2", async () => {
    const { code, stderr, stdout } = await bench.run(["tools", "gerp"])
    expect([code, stdout]).toEqual([2, ""])
    expect(stderr).toContain("Did you mean grep")
  })

  test("--toolset narrows, an unknown one is refused with the known ones", async () => {
    const locked = JSON.parse((await bench.run(["tools", "--toolset", "locked", "--json"])).stdout) as { id: string }[]
    expect(locked.map(({ id }) => id)).not.toContain("ls")
    const wrong = await bench.run(["tools", "--toolset", "loked"])
    expect(wrong.code).toBe(2)
    expect(wrong.stderr).toContain("locked")
  })

  test.each([
    ["anthropic", "input_schema"],
    ["openai", "function"],
    ["openai-responses", "parameters"],
    ["gemini", "parametersJsonSchema"],
    ["mcp", "inputSchema"],
    ["openai-strict", "function"],
    ["openai-responses-strict", "parameters"],
    ["haft", "input_schema"],
  ])("--format %s prints definitions with %s", async (format, key) => {
    const [first] = JSON.parse((await bench.run(["tools", "--format", format])).stdout) as Record<string, unknown>[]
    expect(first).toHaveProperty(key)
  })

  test("--cost adds tokens", async () => {
    const [first] = JSON.parse((await bench.run(["tools", "read", "--cost", "--json"])).stdout) as { tokens: number }[]
    expect(first?.tokens).toBeGreaterThan(20)
  })

  test("--lang shows titles in that language", async () => {
    const { stdout } = await bench.run(["tools", "--lang", "zh-CN"])
    expect(stdout).toContain("待办列表")
    expect(stdout).toMatch(/\d+ 个工具\n查看其中一个：haft tools NAME/)
    expect(stdout).not.toContain("One of them")
    const costs = await bench.run(["tools", "--cost"], { env: { HAFT_LANG: "zh-CN" } })
    expect(costs.stdout).toMatch(/\d+ 个字符 +约 \d+ 个 token/)
    const one = (await bench.run(["tools", "read", "--lang", "zh-CN"])).stdout
    for (const word of ["参数", "必填", "类型", "权限范围", "工具集", "上限"]) expect(one).toContain(word)
  })

  test("there is no colour where nobody sees it, unless it is asked for", async () => {
    expect((await bench.run(["tools"])).stdout).not.toContain("\u001b[")
    expect((await bench.run(["tools", "--color", "always"])).stdout).toContain("\u001b[1m")
  })
})

describe("haft help", () => {
  test("without a word it is help on standard error and exit 2", async () => {
    const { code, stdout, stderr } = await bench.run([])
    expect([code, stdout]).toEqual([2, ""])
    expect(stderr).toContain("Usage: haft COMMAND")
  })

  test.each([[["--help"]], [["help"]]])("%j is help on standard output and exit 0", async (words) => {
    const { code, stdout, stderr } = await bench.run(words)
    expect([code, stderr]).toEqual([0, ""])
    expect(stdout).toContain("session")
  })

  test.each([[["call", "--help"]], [["help", "call"]], [["--help", "call"]]])(
    "%j explains one command",
    async (words) => {
      const { code, stdout } = await bench.run(words)
      expect(code).toBe(0)
      expect(stdout).toContain("--yes")
      expect(stdout).toContain("Examples")
    },
  )

  test("haft help session list explains a command below another", async () => {
    expect((await bench.run(["help", "session", "list"])).stdout).toContain("--limit")
    expect((await bench.run(["session", "--help"])).stdout).toContain("verify")
    expect((await bench.run(["help", "sesion"])).code).toBe(2)
  })

  test("the version is that of the package", async () => {
    expect((await bench.run(["version"])).stdout).toMatch(/^\d+\.\d+\.\d+\n$/)
    expect(JSON.parse((await bench.run(["version", "--json"])).stdout)).toHaveProperty("version")
  })

  test.each([
    [["tools", "gerp", "--json"], "invalid_args", 'Cannot find tool "gerp": there is no such tool'],
    [["gerp", "--json"], "invalid_args", 'Cannot run "haft gerp": there is no such command'],
    [["grep", "TODO", "--json", "--colour"], "invalid_args", 'Cannot use "--colour": there is no such option'],
    [["grep", "TODO", "--json", "nope=1"], "invalid_args", 'Cannot take argument "nope": "grep" has no such argument'],
    [["session", "show", "ses_none", "--json"], "not_found", 'Cannot find session "ses_none": there is none'],
    [["run", "x", "--json"], "not_configured", "Cannot ask a model: none is set"],
  ])(
    "the failure of %j is one JSON document on standard output, in the shape of an envelope",
    async (words, code, text) => {
      const ran = await bench.run(words)
      expect(ran.code).not.toBe(0)
      expect(ran.stderr).toBe("")
      const document = JSON.parse(ran.stdout)
      expect(document).toEqual({
        type: "error",
        error_text: expect.any(String),
        metadata: { error_code: code, hint: expect.any(String) },
      })
      expect(document.error_text).toContain(text)
    },
  )
})
