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
  const checks = await Promise.all([
    skillChecks(loaded).catch((error: unknown) => failed("skills", error, "warn")),
    agentChecks(loaded).catch((error: unknown) => failed("agents", error, "warn")),
    searchCheck(loaded),
    proxyCheck(loaded),
    clipboardCheck(loaded).catch((error: unknown) => failed("clipboard", error, "warn")),
  ])
  return checks.flat()
}

async function skillChecks(loaded: Loaded): Promise<readonly Check[]> {
  const skills = skillsHere(loaded)
  const [name, { length }] = ["skills", await skills.list()]
  const fix = "see haft skill list and haft skill check"
  const problems = problemRows(await skills.problems(), { name, fix, loaded })
  return [{ name, state: "ok", found: `${length} can be loaded` }, ...problems]
}

async function agentChecks(loaded: Loaded): Promise<readonly Check[]> {
  const { openAgents } = await import("@haft/project")
  const { agents, warnings } = await openAgents({ roots: loaded.roots, userHome: loaded.places.userHome })
  const name = "agents"
  const problems = problemRows(warnings, { name, fix: "correct the file, or remove it", loaded })
  return [{ name, state: "ok", found: `${agents.length} can be started` }, ...problems]
}

/** A row for each problem, so that none has to be solved before the next one is known. */
function problemRows(
  files: readonly { readonly path: string; readonly problem: string }[],
  { name, fix, loaded: { places } }: { readonly name: string; readonly fix: string; readonly loaded: Loaded },
): readonly Check[] {
  return files.map(({ path, problem }) => {
    const found = `wrong with ${shortPath(path, places.userHome)}: ${problem}`
    return { name, state: "warn", found, fix }
  })
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
