import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterEach, beforeEach, expect, test } from "vitest"
import { openAgents, parseAgent } from "./open-agents.js"

let folder: string

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "haft-agents-"))
  await mkdir(join(folder, "home"))
  await mkdir(join(folder, "work/.agents/agents"), { recursive: true })
})
afterEach(() => rm(folder, { recursive: true, force: true }))

const open = () => openAgents({ roots: [join(folder, "work")], userHome: join(folder, "home") })

test("the agents of the project come before those of Haft, and a wrong file is a warning", async () => {
  const place = join(folder, "work/.agents/agents")
  const reviewer = "---\ndescription: Reviews changes\ntools: read, grep\ndeny: [fs.write]\n---\nYou review.\n"
  await writeFile(join(place, "reviewer.md"), reviewer)
  await writeFile(join(place, "explore.md"), "---\ndescription: Ours\n---\nLook.\n")
  await writeFile(join(place, "broken.md"), "no front matter")
  await symlink("/etc/passwd", join(place, "linked.md"))
  const { agents, warnings, named } = await open()
  expect(agents.map(({ name }) => name)).toEqual(["explore", "reviewer", "plan", "general", "verify"])
  expect(named("explore").source).toBe("project")
  expect(named("reviewer")).toMatchObject({ mode: "subagent", tools: ["read", "grep"], deny: ["fs.write"] })
  expect(warnings.map(({ path }) => path.split("/").at(-1))).toEqual(["broken.md", "linked.md"])
  expect(() => named("reviewers")).toThrow(expect.objectContaining({ code: "not_found" }))
  expect(() => named("broken")).toThrow(/"broken": its file is wrong: .+/)
})

test("an agent of Claude Code has our tools by its names for them, and its model is no address of a provider", async () => {
  const place = join(folder, "work/.claude/agents")
  await mkdir(place, { recursive: true })
  const head = "name: reviewer\ndescription: Reviews\ntools: Read, Grep, Bash, mcp__files__stat\nmodel: sonnet"
  await writeFile(join(place, "reviewer.md"), `---\n${head}\n---\nYou review.\n`)
  await writeFile(join(place, "free.md"), "---\ndescription: Free\nmodel: ollama:qwen3\n---\nYou are free.\n")
  const { named } = await open()
  expect(named("reviewer").tools).toEqual(["read", "grep", "bash", "mcp__files__stat"])
  expect(named("reviewer")).not.toHaveProperty("model")
  expect(named("free").model).toBe("ollama:qwen3")
  expect(named("free")).not.toHaveProperty("tools")
})

/** The agent of Claude Code with these lines, and what is wrong with it. */
async function claude(...lines: readonly string[]) {
  const place = join(folder, "work/.claude/agents")
  await mkdir(place, { recursive: true })
  await writeFile(join(place, "helper.md"), `---\n${["description: Helps", ...lines].join("\n")}\n---\nYou help.\n`)
  const { agents, warnings } = await open()
  return { agent: agents.find(({ name }) => name === "helper"), problems: warnings.map(({ problem }) => problem) }
}

const writing = ["patch", "apply_patch", "move"]

test.each([
  ["Write, Edit, Bash", ["write", ...writing, "edit", "bash", "shell.run"]],
  ["[Read, Glob]", ["read", "glob", "find_files"]],
  ["Read Grep", ["read", "grep"]],
  ["WebFetch, mcp__files__stat", ["web_fetch", "http_request", "mcp__files__stat"]],
  ["Agent, AskUserQuestion, ExitPlanMode, TodoWrite", ["task", "question", "plan_exit", "todo"]],
  // A part cannot be said here, so all of it is denied, as in Claude Code.
  ["Bash(git push:*), Task(explore, plan), Read(./.env)", ["bash", "shell.run", "task", "read"]],
  ["Bash(git, Write", ["bash", "shell.run", "write", ...writing]],
  ['"*"', ["*"]],
  ["Frobnicate, toString", ["Frobnicate", "toString"]],
])("disallowedTools: %s of Claude Code is denied under our names", async (value, deny) => {
  const { agent, problems } = await claude(`disallowedTools: ${value}`)
  expect([agent?.deny, problems]).toEqual([deny, []])
  expect(agent).not.toHaveProperty("tools")
})

test("disallowedTools adds to deny; an empty one denies nothing", async () => {
  expect((await claude("deny: [fs.write]", "disallowedTools: Read")).agent?.deny).toEqual(["fs.write", "read"])
  expect((await claude("disallowedTools:")).agent).not.toHaveProperty("deny")
  expect((await claude('disallowedTools: ""')).agent).not.toHaveProperty("deny")
})

test.each(["mcp__files", "mcp__files__*", "Write; Edit", "{a: 1}", "[1]"])(
  "disallowedTools: %s could deny too little, so the agent is not taken",
  async (value) => {
    const { agent, problems } = await claude(`disallowedTools: ${value}`)
    expect(agent).toBeUndefined()
    expect(problems).toEqual([expect.stringMatching(/^disallowedTools (has|must)/)])
  },
)

test("disallowedTools of any length is read in one look, also before anybody trusts the folder", async () => {
  const blanks = " ".repeat(15_000)
  const { agent, problems } = await claude(`disallowedTools: "Bash(${blanks}), Read${blanks})"`)
  expect([agent, problems]).toEqual([undefined, [expect.stringContaining('has ")", which names no single tool')]])
  const bash = (await claude(`disallowedTools: "Bash(${blanks}), ${blanks}Read"`)).agent
  expect(bash?.deny).toEqual(["bash", "shell.run", "read"])
  expect((await claude(`disallowedTools: "mcp__${"_".repeat(60_000)}!"`)).problems).toHaveLength(1)
})

test('tools: "*" is all tools', async () => {
  expect((await claude('tools: "*"')).agent).not.toHaveProperty("tools")
  expect((await claude('tools: ["*"]')).agent).not.toHaveProperty("tools")
})

test("the newer names of tools of Claude Code are known; others stay, to be told where the agent starts", async () => {
  const { agent } = await claude(
    "tools: Agent, AskUserQuestion, ExitPlanMode, LSP, TaskCreate, Bash(git:*), Frobnicate",
  )
  expect(agent?.tools).toEqual(["task", "question", "plan_exit", "lsp", "todo", "Bash(git:*)", "Frobnicate"])
})

test("a folder of agents that leads out of the project is not read", async () => {
  await mkdir(join(folder, "elsewhere"))
  await writeFile(join(folder, "elsewhere/spy.md"), "---\ndescription: Spies\n---\nSpy.\n")
  await rm(join(folder, "work/.agents/agents"), { recursive: true })
  await symlink(join(folder, "elsewhere"), join(folder, "work/.agents/agents"))
  const { agents, warnings } = await open()
  expect(agents.some(({ name }) => name === "spy")).toBe(false)
  expect(warnings).toHaveLength(1)
})

test.each([
  ["---\nname: a b\ndescription: x\n---\ny", "name must be"],
  ["---\nname: a\n---\ny", "description must say"],
  ["---\ndescription: x\nmode: boss\n---\ny", "mode must be one of"],
  ["---\ndescription: x\ntools: {a: 1}\n---\ny", "tools must be a list"],
  ["---\ndescription: x\ndeny: [1]\n---\ny", "deny must be a list"],
  ["---\ndescription: x\nmodel: 3\n---\ny", "model must be"],
  ["---\ndescription: x\n---\n \n", "must not be empty"],
])("%j is refused with its reason", async (text, reason) => {
  expect(await parseAgent(text, "a", "project")).toContain(reason)
})
