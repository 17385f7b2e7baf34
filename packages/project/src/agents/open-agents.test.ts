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
