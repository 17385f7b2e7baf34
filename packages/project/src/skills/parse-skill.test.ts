import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { parseSkill } from "./parse-skill.js"

const place = {
  folderName: "folder",
  readFile: async (path: string) => `text of ${path}`,
  resolve: (path: string) => `/skills/folder/${path}`,
}
/** A place for an argument in a template of a skill. */
const hole = (name: string) => `\${${name}}`
const parse = (text: string) => parseSkill(text, place)
const front = (yaml: string, body = "Body\n") => parse(`---\n${yaml}\n---\n${body}`)
const problemsOf = async (yaml: string) => (await front(yaml)).problems.map(({ line, text }) => `${line}: ${text}`)

describe("front matter", () => {
  test("everything that a skill may say is read", async () => {
    const { entry, body, problems } = await front(
      'name: folder\ndescription: "When it rains"\nversion: 1.2\nkind: persona\ntags: [a, b]\nallowed-tools: Read\nlicense: MIT',
    )
    expect(problems).toEqual([])
    expect(body).toBe("Body\n")
    expect(entry).toEqual({
      name: "folder",
      description: "When it rains",
      kind: "persona",
      tags: ["a", "b"],
      version: "1.2",
      allowedTools: ["Read"],
    })
  })

  test("a name that is missing is that of the folder, and line breaks of any kind are fine", async () => {
    const { entry, problems } = await parse("\uFEFF---\r\ndescription: x\r\n---\r\nBody")
    expect(entry).toMatchObject({ name: "folder", kind: "instruction", allowedTools: [], tags: [] })
    expect(problems).toEqual([])
  })

  test.each([
    ["allowed-tools: Read, Bash(git log:*, x), Edit", ["Read", "Bash(git log:*, x)", "Edit"]],
    ["allowed-tools: Bash(git:*) Read", ["Bash(git:*)", "Read"]],
    ["allowed-tools:\n  - Read\n  - Bash(git:*)", ["Read", "Bash(git:*)"]],
    ["allowed-tools: ''", []],
  ])("%j", async (yaml, tools) => {
    expect((await front(`description: x\n${yaml}`)).entry?.allowedTools).toEqual(tools)
  })

  test("[C2-143] a description is required, and is one line", async () => {
    expect(await problemsOf("name: folder")).toEqual([
      "1: a description is missing: one line that says when to use the skill",
    ])
    expect((await front("name: folder")).entry).toBeUndefined()
    expect((await front("description: [a]")).entry).toBeUndefined()
    const { entry, problems } = await front("name: folder\ndescription: |\n  one\n  two")
    expect(entry?.description).toBe("one two")
    expect(problems).toEqual([{ line: 3, text: "the description must be one line", fatal: false }])
    expect((await front("description: >\n  one\n  two")).problems).toEqual([])
  })

  test.each([
    ["description: x\nname: 'a\"b'", '3: the name "a\\"b" must be 1 to 64 small letters, digits and single hyphens'],
    ["description: x\nname: Big Name", '3: the name "Big Name" should be small letters, digits and single hyphens'],
    ["description: x\nname: other", '3: the name "other" should be that of the folder, "folder"'],
    ["description: x\nkind: magic", "3: kind must be one of instruction, persona, tool"],
    ["description: x\ntags: [[a]]", "3: tags must be a list of words"],
    ["description: x\ntools: 5", "3: tools must be a list"],
    ["description: x\n  y: : z", expect.stringMatching(/^\d+: /)],
    ["description: x\ndescription: y", expect.stringMatching(/^3: .*unique/)],
    ["- a\n- b", "2: the front matter must be a list of `key: value` lines"],
    ["a: &x 1\ndescription: *x", expect.stringContaining("aliases are not allowed")],
  ])("%j is said with its line", async (yaml, problem) => {
    expect(await problemsOf(yaml)).toContainEqual(problem)
  })

  test.each(["", "no front matter", "---\nname: a\n", "--- x\n---\n", "---"])("%j has none", async (text) => {
    const { entry, problems } = await parse(text)
    expect(entry).toBeUndefined()
    expect(problems).toMatchObject([{ line: 1, fatal: true }])
  })

  test("bombs are refused quickly", async () => {
    const lists = Array.from({ length: 9 }, (_, level) => `l${level + 1}: &l${level + 1} [${`*l${level},`.repeat(9)}]`)
    expect((await front(`l0: &l0 x\n${lists.join("\n")}\ndescription: x`)).entry).toBeUndefined()
    expect((await front(`a: ${"[".repeat(60_000)}`)).entry).toBeUndefined()
    expect((await front(`a: ${"{a: ".repeat(15_000)}`)).entry).toBeUndefined()
    expect((await front(`a: ${"x".repeat(70_000)}`)).problems[0]!.text).toContain("longer than 65536")
  })

  test("any text is a skill or a list of problems", async () => {
    const piece = fc.oneof(
      fc.string({ unit: "binary", maxLength: 20 }),
      fc.constantFrom(
        "---\n",
        "name: ",
        "description: x\n",
        "tools:\n  - ",
        "&a ",
        "*a",
        "{",
        "[",
        "\n",
        ": ",
        "!!js/x ",
      ),
    )
    await fc.assert(
      fc.asyncProperty(fc.array(piece, { maxLength: 15 }), async (pieces) => {
        const { entry, problems } = await parse(pieces.join(""))
        expect(entry !== undefined || problems.some(({ fatal }) => fatal)).toBe(true)
        if (entry) expect(`${entry.name}${entry.description}`).not.toMatch(/[\r\n]/)
        expect(problems.every(({ line }) => line >= 1)).toBe(true)
      }),
    )
  })
})

describe("tools", () => {
  const toolsOf = async (yaml: string) => front(`description: x\ntools:\n${yaml}`)

  test("each backend is read", async () => {
    const { tools, problems } = await toolsOf(`
  - {name: grep, description: Finds, backend: {type: builtin}}
  - {name: run, description: Runs, parameters: {type: object}, backend: {type: script, interpreter: python3, script: "print(1)", interpreter_args: [-u]}}
  - {name: file, description: Runs, backend: {type: script, interpreter: sh, path: a.sh}}
  - {name: bin, description: Runs, backend: {type: binary, path: bin/x, args_template: "--name '\${who} x' \${n}"}}
  - {name: far, description: Runs, backend: {type: binary, url: "https://x.test/b", sha256: ${"a".repeat(64)}}}
  - {name: web, description: Asks, backend: {type: http, url: "https://x.test/\${id}?q=\${q}", method: post, headers: {a: b}, body_template: "{}"}}
`)
    expect(problems).toEqual([])
    expect(tools.map(({ backend }) => backend)).toEqual([
      { type: "builtin", tool: "grep" },
      { type: "script", interpreter: "python3", interpreterArguments: ["-u"], script: "print(1)" },
      { type: "script", interpreter: "sh", interpreterArguments: [], script: "text of a.sh" },
      { type: "binary", path: "/skills/folder/bin/x", argumentsTemplate: ["--name", `${hole("who")} x`, hole("n")] },
      { type: "binary", url: "https://x.test/b", sha256: "a".repeat(64), argumentsTemplate: [] },
      {
        type: "http",
        url: `https://x.test/${hole("id")}?q=${hole("q")}`,
        method: "POST",
        headers: { a: "b" },
        bodyTemplate: "{}",
        timeoutMs: 30_000,
      },
    ])
  })

  test.each([
    ["  - text", "it must have name"],
    ["  - {name: a b, description: x, backend: {type: builtin}}", "must be letters"],
    ["  - {name: a, backend: {type: builtin}}", '"description" is missing'],
    ["  - {name: a, description: x}", "needs a backend"],
    ["  - {name: a, description: x, backend: {type: constructor}}", "must be of type builtin"],
    ["  - {name: a, description: x, backend: {type: binary, url: 'https://x.test/b'}}", "sha256"],
    ["  - {name: a, description: x, backend: {type: binary}}", "either path or url"],
    [
      `  - {name: a, description: x, backend: {type: http, url: 'https://${hole("h")}.test/'}}`,
      "host of the url must be fixed",
    ],
    ["  - {name: a, description: x, backend: {type: http, url: 'https://u:p@x.test/'}}", "without a user name"],
    ["  - {name: a, description: x, backend: {type: http, url: 'file:///etc/passwd'}}", "http:// or https://"],
    [
      `  - {name: a, description: x, backend: {type: http, url: 'https://x.test/', headers: {k: '${hole("a")}'}}}`,
      "headers must be fixed",
    ],
    [
      "  - {name: a, description: x, backend: {type: builtin}}\n  - {name: a, description: x, backend: {type: builtin}}",
      "in tool 2: the name",
    ],
  ])("%s is left out and said", async (yaml, problem) => {
    const { problems, entry } = await toolsOf(yaml)
    expect(problems).toMatchObject([{ line: 3, text: expect.stringContaining(problem), fatal: false }])
    expect(entry).toBeDefined()
  })
})
