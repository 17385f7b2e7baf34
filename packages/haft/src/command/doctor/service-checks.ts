import { loadSearchProblem } from "@haft/tools"
import { loadConfiguration } from "../../config/load-configuration.js"
import { shortPath } from "../../config/places.js"
import { proxyOf, webSearchOf } from "../../config/web-settings.js"
import { skillsHere } from "../skill/skills-here.js"
import { type Check, type DoctorRequest, failed } from "./check.js"

type Loaded = DoctorRequest & Pick<Parameters<typeof skillsHere>[0], "configuration" | "directory">

/** Skills, web search, proxy and clipboard, as a session here would have them. Nothing is sent anywhere. */
export async function serviceChecks(request: DoctorRequest): Promise<readonly Check[]> {
  const { env, places, roots } = request
  const configuration = await loadConfiguration({ env, places, roots, flags: {}, defaultLimit: () => undefined }).catch(
    () => undefined,
  )
  // A configuration that cannot be read is said by the check of the files.
  if (configuration === undefined) return []
  const loaded = { ...request, configuration, directory: roots[0]! }
  return Promise.all([
    skillCheck(loaded).catch((error: unknown) => failed("skills", error, "warn")),
    agentCheck(loaded).catch((error: unknown) => failed("agents", error, "warn")),
    searchCheck(loaded),
    proxyCheck(loaded),
    clipboardCheck(loaded).catch((error: unknown) => failed("clipboard", error, "warn")),
  ])
}

async function skillCheck(loaded: Loaded): Promise<Check> {
  const skills = skillsHere(loaded)
  const list = await skills.list()
  const [first, ...others] = await skills.problems()
  const name = "skills"
  if (!first) return { name, state: "ok", found: `${list.length} can be loaded` }
  const more = others.length > 0 ? `, and ${others.length} more` : ""
  return {
    name,
    state: "warn",
    found: `${list.length} can be loaded, not ${shortPath(first.path, loaded.places.userHome)}: ${first.problem}${more}`,
    fix: "see haft skill list and haft skill check",
  }
}

async function agentCheck({ roots, places }: Loaded): Promise<Check> {
  const { openAgents } = await import("@haft/project")
  const { agents, warnings } = await openAgents({ roots, userHome: places.userHome })
  const [first, ...others] = warnings
  const name = "agents"
  if (!first) return { name, state: "ok", found: `${agents.length} can be started` }
  const more = others.length > 0 ? `, and ${others.length} more` : ""
  return {
    name,
    state: "warn",
    found: `${agents.length} can be started, not ${shortPath(first.path, places.userHome)}: ${first.problem}${more}`,
    fix: "correct the file, or remove it",
  }
}

async function searchCheck(loaded: Loaded): Promise<Check> {
  const name = "web search"
  const settings = webSearchOf(loaded, loaded.env)
  const problem = (await loadSearchProblem())(settings)
  if (problem) {
    return { name, state: "warn", found: problem.reason, ...(problem.hint === undefined ? {} : { fix: problem.hint }) }
  }
  const keys = Object.keys(settings.keys)
  const withKeys = keys.length > 0 ? `, keys for ${keys.join(", ")}` : ""
  return { name, state: "ok", found: `${settings.provider ?? "services that need no key"}${withKeys}` }
}

async function proxyCheck(loaded: Loaded): Promise<Check> {
  const name = "proxy"
  const proxy = proxyOf(loaded, loaded.env)
  if (proxy === undefined) return { name, state: "ok", found: "none is configured" }
  const addresses = [...new Set([proxy.http, proxy.https].filter((address) => address !== undefined))]
  if (addresses.length === 0) {
    const found = "net.proxy is environment, and neither HTTP_PROXY nor HTTPS_PROXY is set"
    return { name, state: "warn", found, fix: "set one of them, or run haft config set net.proxy ADDRESS" }
  }
  const wrong = addresses.find((address) => !/^https?:$/.test(protocolOf(address)))
  if (wrong === undefined) return { name, state: "ok", found: addresses.map(withoutPassword).join(", ") }
  return {
    name,
    state: "warn",
    found: `"${withoutPassword(wrong)}" is no address of a proxy`,
    fix: "write it like http://host:port",
  }
}

function protocolOf(address: string): string {
  return URL.canParse(address) ? new URL(address).protocol : ""
}

function withoutPassword(address: string): string {
  return address.replace(/^(\w+:\/\/)?[^@/]*@/, "$1…@")
}

async function clipboardCheck({ env, roots }: Loaded): Promise<Check> {
  const { clipboardProblem } = await import("@haft/desktop")
  const problem = clipboardProblem({ environment: env, roots })
  const name = "clipboard"
  if (problem === undefined) return { name, state: "ok", found: "that of the system" }
  return { name, state: "none", found: `each session has its own: ${problem}` }
}
