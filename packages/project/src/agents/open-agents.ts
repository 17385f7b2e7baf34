import { readdir, realpath } from "node:fs/promises"
import { basename, join, resolve } from "node:path"
import { bestEffort, isBelow, nearestNames, type SubagentEntry, ToolError } from "@haft/contract"
import { repositoryFolders } from "../instructions/repository-folders.js"
import { readFrontMatter } from "../skills/front-matter.js"
import { readSkillFile } from "../skills/read-skill-file.js"
import { bundledAgents } from "./bundled-agents.js"
import { claudeAgent } from "./claude-agent.js"

/** An agent as its file describes it. It can only have less than the agent that starts it. */
export interface AgentManifest extends SubagentEntry {
  /** `primary` agents talk with a person and are not started by others. */
  readonly mode: "primary" | "subagent" | "all"
  /** Comes first in its system prompt. */
  readonly prompt: string
  /** The tools that it may have; all by default. */
  readonly tools?: readonly string[]
  /** What is denied to it, as `permission` or `permission(pattern)`. */
  readonly deny?: readonly string[]
  /** `PROVIDER:NAME`; that of the agent which starts it by default. */
  readonly model?: string
}

/** Where agents are looked for. */
export interface AgentPlaces {
  readonly roots: readonly string[]
  readonly userHome: string
}

/** Something wrong with a file of an agent. */
export interface AgentWarning {
  readonly path: string
  readonly problem: string
}

/** The agents of a workspace; of two with one name that of the project counts, then the user's. */
export interface OpenAgents {
  readonly agents: readonly AgentManifest[]
  readonly warnings: readonly AgentWarning[]
  /** `not_found` with near names for an unknown name. */
  named(name: string): AgentManifest
}

const claudeFolder = join(".claude", "agents")
const folderNames = [join(".agents", "agents"), claudeFolder]
// A folder of agents is small; one with more is something else.
const maxFiles = 100

/** Reads the agents of a workspace. */
export async function openAgents({ roots, userHome }: AgentPlaces): Promise<OpenAgents> {
  const warnings: AgentWarning[] = []
  const found = new Map<string, AgentManifest>()
  for (const folder of await foldersOf(roots, userHome)) {
    for (const agent of await agentsIn(folder, warnings)) {
      if (found.has(agent.name)) warnings.push({ path: folder.path, problem: `"${agent.name}" is defined twice` })
      else found.set(agent.name, agent)
    }
  }
  for (const agent of bundledAgents) if (!found.has(agent.name)) found.set(agent.name, agent)
  const agents = [...found.values()]
  return { agents, warnings, named: (name) => agentNamed(agents, name, warnings) }
}

function agentNamed(agents: readonly AgentManifest[], name: string, warnings: readonly AgentWarning[]): AgentManifest {
  const agent = agents.find((each) => each.name === name)
  if (agent) return agent
  const broken = warnings.find(({ path }) => basename(path) === `${name}.md`)
  if (broken) throw new ToolError("not_found", `Cannot start the agent "${name}": its file is wrong: ${broken.problem}`)
  const names = agents.map((each) => each.name)
  const [near] = nearestNames(name, names)
  throw new ToolError("not_found", `Cannot start the agent "${name}": there is none of that name`, {
    hint:
      near === undefined ? `There are ${names.join(", ")}` : `Did you mean "${near}"? There are ${names.join(", ")}`,
  })
}

interface AgentFolder {
  readonly path: string
  readonly source: "project" | "user"
  /** What it must lie in, links followed: a project cannot point out of itself. */
  readonly within?: string
}

async function foldersOf(roots: readonly string[], userHome: string): Promise<readonly AgentFolder[]> {
  const folders: AgentFolder[] = []
  for (const root of roots) {
    const places = await repositoryFolders(resolve(root), resolve(userHome))
    const within = places.at(-1)!
    for (const place of places)
      for (const name of folderNames) folders.push({ path: join(place, name), source: "project", within })
  }
  for (const name of folderNames) folders.push({ path: join(userHome, name), source: "user" })
  return folders.filter(({ path }, index) => folders.findIndex((other) => other.path === path) === index)
}

async function agentsIn(folder: AgentFolder, warnings: AgentWarning[]): Promise<readonly AgentManifest[]> {
  const { path, within } = folder
  const real = await bestEffort("most workspaces have no agents", realpath(path))
  if (real === undefined) return []
  if (within !== undefined && !isBelow(real, await realpath(within))) {
    warnings.push({ path, problem: "the folder leads out of the project and is not looked at" })
    return []
  }
  const entries = (await bestEffort("a folder that cannot be listed has no agents", readdir(real))) ?? []
  const files = entries.filter((entry) => entry.endsWith(".md")).sort()
  if (files.length > maxFiles) warnings.push({ path, problem: `only the first ${maxFiles} files are read` })
  const agents: AgentManifest[] = []
  for (const file of files.slice(0, maxFiles)) {
    const agent = await readAgent(join(real, file), real, folder)
    if (typeof agent === "string") warnings.push({ path: join(path, file), problem: agent })
    else agents.push(agent)
  }
  return agents
}

async function readAgent(file: string, real: string, { path, source }: AgentFolder): Promise<AgentManifest | string> {
  try {
    const text = await readSkillFile(file, real)
    return await parseAgent(text, basename(file, ".md"), source, path.endsWith(claudeFolder))
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}

const modes = ["primary", "subagent", "all"] as const

/** The agent that a file describes, in our words or in those of Claude Code; or what is wrong with it. */
export async function parseAgent(
  text: string,
  fileName: string,
  source: AgentManifest["source"],
  isClaude = false,
): Promise<AgentManifest | string> {
  const { values, body, problems } = await readFrontMatter(text)
  const [problem] = problems
  if (problem) return `in line ${problem.line}: ${problem.text}`
  const { name = fileName, description, mode = "subagent", model } = values
  if (typeof name !== "string" || !/^[a-z0-9][a-z0-9_-]{0,63}$/i.test(name))
    return "name must be letters, digits, - and _"
  if (typeof description !== "string" || description.trim() === "") return "description must say when to use the agent"
  if (!modes.includes(mode as never)) return `mode must be one of ${modes.join(", ")}`
  if (model !== undefined && typeof model !== "string") return "model must be PROVIDER:NAME"
  const tools = listOf(values.tools)
  if (tools === null) return "tools must be a list of names"
  const deny = listOf(values.deny)
  if (deny === null) return "deny must be a list of permission or permission(pattern)"
  if (body.trim() === "") return "the text below the front matter is its prompt and must not be empty"
  const agent: AgentManifest = {
    name,
    description: description.replace(/\s+/g, " ").trim(),
    mode: mode as AgentManifest["mode"],
    source,
    prompt: body.trim(),
    ...(tools && !tools.includes("*") && { tools }),
    ...(deny && { deny }),
    ...(model !== undefined && model !== "inherit" && { model }),
  }
  return isClaude ? claudeAgent(agent, values.disallowedTools) : agent
}

/** A list of words; a comma list counts too. Null for anything else. */
function listOf(value: unknown): readonly string[] | undefined | null {
  if (value === undefined) return undefined
  const list = typeof value === "string" ? value.split(",").map((word) => word.trim()) : value
  return Array.isArray(list) && list.every((word) => typeof word === "string" && word !== "") ? list : null
}
