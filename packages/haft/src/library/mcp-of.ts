import { type NetworkGrant, type SandboxedCall, type SandboxedGrant, ToolError } from "@haft/contract"
import { judgeFile } from "@haft/guard"
import type { Inspected, McpSession, Pin, ServerEntry } from "@haft/mcp"
import type { CallSession } from "@haft/runtime"
import { programPinFile, readPins, savePin, signInStore } from "../mcp/server-state.js"
import type { SessionSetting } from "./open-session.js"
import type { InspectRequest } from "./options.js"

/** Whether a session may have servers at all. */
export function mayHaveServers({ options, program }: SessionSetting): boolean {
  return program.only === undefined && (program.mcpServers !== undefined || options.mcpServers !== undefined)
}

/** Puts the tools of the trusted servers into a session; undefined where none is named. Only one that was never seen is started. */
export async function openMcp(setting: SessionSetting, inner: CallSession): Promise<McpSession | undefined> {
  const { options, program, places, roots } = setting
  const configured = await program.mcpServers?.()
  const named = Object.entries(options.mcpServers ?? {})
  if (named.length === 0 && !configured?.entries.length) return undefined
  const { McpSession, readEntry } = await import("@haft/mcp")
  const own = named.map(([name, { trusted, ...entry }]) => ({ trusted, entry: readEntry(name, entry) }))
  const vouched = own.filter(({ trusted }) => trusted).map(({ entry }) => entry)
  const mcp = new McpSession({
    entries: [...own.map(({ entry }) => entry), ...(configured?.entries ?? [])],
    pins: [...(await seenPins(vouched, setting, inner)), ...(configured?.pins ?? [])],
    variables: process.env,
    signIns: signInStore(places.home),
    roots,
  })
  for (const { name, error } of mcp.register(inner)) tellProblem(inner, name, error)
  for (const { name, reason } of mcp.untrusted) {
    const isChange = reason !== "it is not trusted"
    if (isChange)
      inner.emit({
        type: "error",
        message: `The MCP server "${name}" brings no tools: ${reason}; look at it with: haft mcp trust ${name}`,
      })
  }
  return mcp
}

/** A program vouches for a server as it is when it is first seen; later it is held to that. */
async function seenPins(
  entries: readonly ServerEntry[],
  setting: SessionSetting,
  inner: CallSession,
): Promise<readonly Pin[]> {
  if (entries.length === 0) return []
  const file = programPinFile(setting.places.home)
  const { pinOf } = await import("@haft/mcp")
  for (const entry of entries) {
    if (pinOf(readPins(file), entry)) continue
    try {
      const { pin } = await inspectIn(inner, setting, { entry, signal: new AbortController().signal })
      savePin(file, pin)
    } catch (error) {
      // One server that does not start must not keep a session from opening.
      if (!ToolError.is(error)) throw error
      tellProblem(inner, entry.name, error)
    }
  }
  return readPins(file)
}

function tellProblem(inner: CallSession, name: string, { message, fix }: ToolError): void {
  const words = `The MCP server "${name}" brings no tools: ${message}`
  inner.emit({ type: "error", message: fix === undefined ? words : `${words}. ${fix}` })
}

/** Starts or reaches a server once, for a look at what it offers. */
export async function inspectIn(
  inner: CallSession,
  { places, roots }: Pick<SessionSetting, "places" | "roots">,
  request: InspectRequest,
): Promise<Inspected> {
  const { inspectServer } = await import("@haft/mcp")
  const call = lookCall(inner, request.signal)
  return inspectServer({
    ...request,
    ports: { servers: inner.ports.servers(call), network: inner.ports.network(call) },
    variables: process.env,
    signIns: signInStore(places.home),
    roots,
  })
}

/** A call that a person or the program itself makes: hosts are theirs to choose, addresses and files are judged as ever. */
function lookCall(inner: CallSession, signal: AbortSignal): SandboxedCall & { readonly grant: NetworkGrant } {
  const grant: SandboxedGrant & NetworkGrant = {
    admits: () => false,
    mayKeep: () => false,
    denies: (kind, path) => judgeFile(inner.rules(), kind, path, inner.ports) === "deny",
    sandbox: { profile: "server", hosts: [], approved: [], unconfined: false },
    admitsHost: () => ({ allowed: true }),
  }
  return {
    callId: "look",
    sessionId: inner.id,
    signal,
    deadlineMs: Number.POSITIVE_INFINITY,
    grant,
    observe: () => undefined,
  }
}
