import { createHash } from "node:crypto"
import { type ApiServer, canonicalJson, type IndexHit, ToolError } from "@haft/contract"
import { type Pin, toolId } from "@haft/mcp"
import { runCall } from "@haft/runtime"
import type { MachineHost } from "@haft/server"
import { shortPath } from "../../config/places.js"
import { type ConfiguredServer, configuredServers } from "../../mcp/configured-servers.js"
import { savePin, userPinFile } from "../../mcp/server-state.js"
import type { DoctorRequest } from "../doctor/check.js"
import { sandboxChecks } from "../doctor/sandbox-checks.js"
import { doctorChecks } from "../doctor.js"
import { serverNamed } from "../mcp/server-named.js"
import { changeWords } from "../mcp/test.js"
import { skillsHere } from "../skill/skills-here.js"
import type { ServeWorld } from "./world.js"

/** Settings, skills, MCP servers and the machine, as the commands of the same names show them. */
export function machineHost(world: ServeWorld): MachineHost {
  // What a person was shown, by digest: exactly that can be trusted.
  const shown = new Map<string, Pin>()
  return {
    settings: () => settings(world),
    skills: () => skills(world),
    servers: async () => configuredServers(await world.current()).map(apiServer),
    testServer: (name, entry, signal) => testServer(world, { name, entry, signal, shown }),
    async trustServer(name, digest) {
      const pin = shown.get(digest)
      if (pin?.name !== name) {
        throw new ToolError("conflict", `Cannot trust "${name}": what it offers was not looked at with this digest`, {
          hint: "Look at it first: POST /api/servers/NAME/test",
        })
      }
      savePin(userPinFile(world.setup.places.configHome), pin)
      await world.lookAgain()
    },
    search: (query, signal) => search(world, query, signal),
    probe: (signal) => sandboxChecks(doctorRequest(world, signal)),
    doctor: (signal) => doctorChecks(doctorRequest(world, signal)),
  }
}

async function settings(world: ServeWorld) {
  const { values, sayings } = (await world.current()).configuration
  const all = [...values].sort(([one], [other]) => (one < other ? -1 : 1))
  return (
    all
      // Servers have a list of their own, without the values of their variables and headers.
      .filter(([key]) => !key.startsWith("mcpServers."))
      .map(([key, value]) => ({
        ...{ key, value },
        source: sayings.findLast((saying) => saying.taken && saying.key === key)?.source ?? "defaults",
      }))
  )
}

async function skills(world: ServeWorld) {
  const setup = await world.current()
  const here = skillsHere(setup)
  const problems = await here.problems()
  return {
    skills: (await here.list()).map(({ tools: _, ...entry }) => entry),
    problems: problems.map(({ path, problem }) => ({ path: shortPath(path, setup.places.userHome), problem })),
  }
}

function apiServer({ name, source, entry, pin, state, reason }: ConfiguredServer): ApiServer {
  return {
    ...{ name, source, state },
    ...(reason !== undefined && { reason }),
    ...(entry && { transport: entry.kind, entry: entryName(entry) }),
    ...(entry?.kind === "http" && { url: entry.url }),
    ...(entry?.kind === "stdio" && {
      ...{ command: [entry.command, ...entry.args], env: Object.keys(entry.env), workspace: entry.workspace },
      ...{ net: entry.net, readable: entry.readable },
    }),
    ...(pin && { trustedAt: pin.at, tools: pin.tools.map((tool) => toolId(name, tool.name)) }),
  }
}

/** Names exactly this entry, values of variables included, without telling them. */
function entryName(entry: NonNullable<ConfiguredServer["entry"]>): string {
  return createHash("sha256").update(canonicalJson(entry)).digest("hex").slice(0, 32)
}

const keptLooks = 32

interface ServerTest {
  readonly name: string
  readonly entry: string
  readonly signal: AbortSignal
  readonly shown: Map<string, Pin>
}

/** Starts or reaches a server as it was shown. The page is the person's yes to starting it; trust is another one. */
async function testServer(world: ServeWorld, { name, entry: wanted, signal, shown }: ServerTest) {
  const { entry, pin: trusted, reason } = serverNamed(name, await world.current())
  if (!entry) throw new ToolError("not_configured", reason ?? `Cannot use "${name}"`)
  if (entryName(entry) !== wanted) {
    throw new ToolError("conflict", `Cannot start "${name}": its entry changed since it was shown`, {
      hint: "Look at the list again",
    })
  }
  const started = performance.now()
  const { pin, serverName, protocolVersion, problems, errors } = await world.haft.inspectServer({ entry, signal })
  shown.set(pin.digest, pin)
  const [oldest] = shown.keys()
  if (shown.size > keptLooks && oldest !== undefined) shown.delete(oldest)
  return {
    ...{ name, server: serverName, protocol: protocolVersion, problems, digest: pin.digest, stderr: errors },
    ms: Math.round(performance.now() - started),
    tools: pin.tools.map(({ name: tool, description, annotations }) => ({
      ...{ name: tool, description },
      destroys: annotations?.destructiveHint ?? false,
    })),
    changes: trusted ? changeWords(trusted, pin) : [],
  }
}

const found = 20

/** The tool itself is asked, so that ranking and rules are the same; nothing is recorded. */
async function search(world: ServeWorld, query: string, signal: AbortSignal): Promise<readonly IndexHit[]> {
  const session = await world.look()
  const { envelope } = await runCall({ name: "index_search", arguments: { query, limit: found }, signal }, session)
  if (envelope.type === "output") return (envelope.data as { readonly results: readonly IndexHit[] }).results
  throw new ToolError(envelope.metadata.error_code ?? "backend", envelope.error_text)
}

function doctorRequest({ io, setup }: ServeWorld, signal: AbortSignal): DoctorRequest {
  return { env: io.env, places: setup.places, roots: setup.roots, signal }
}
