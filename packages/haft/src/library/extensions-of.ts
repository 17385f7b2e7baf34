import { resolve } from "node:path"
import { type RequirementSet, ToolError } from "@haft/contract"
import type { CallFor, EnabledExtension, ExtensionSession } from "@haft/extensions"
import { type CallSession, runCall } from "@haft/runtime"
import type { SessionSetting } from "./open-session.js"

/** Whether a session may have extensions at all. */
export function mayHaveExtensions({ options, program }: SessionSetting): boolean {
  return program.only === undefined && (program.extensions !== undefined || options.extensions !== undefined)
}

/** Puts the tools of the enabled extensions into a session; undefined where there is none. No code of theirs runs yet. */
export async function openExtensions(
  { options, program }: SessionSetting,
  inner: CallSession,
): Promise<ExtensionSession | undefined> {
  const extensions = [...(await vouched(options.extensions ?? [])), ...((await program.extensions?.()) ?? [])]
  if (extensions.length === 0) return undefined
  const onProblem = (message: string) => inner.emit({ type: "error", message })
  // Nothing of an extension runs without a sandbox, whatever commands may do.
  if (!inner.confines) {
    onProblem("Extensions bring no tools: they run in a sandbox only, and it is off")
    return undefined
  }
  const { ExtensionSession } = await import("@haft/extensions")
  const session = new ExtensionSession({ extensions, registry: inner.registry, callFor: callFor(inner), onProblem })
  session.register()
  return session
}

/** The program that names a folder in its options vouches for it as it is. */
async function vouched(
  given: NonNullable<SessionSetting["options"]["extensions"]>,
): Promise<readonly EnabledExtension[]> {
  if (given.length === 0) return []
  const { readExtension } = await import("../extensions/extension-folder.js")
  return given.map(({ folder, hosts = [] }) => {
    const path = resolve(folder)
    return { manifest: readExtension(path).manifest, folder: path, hosts }
  })
}

/** A call that an extension asks for goes the way of every call, and may do no more than the extension was given. */
function callFor(inner: CallSession): CallFor {
  return async (principal, { tool, args, signal }) => {
    const found = inner.registry.find(tool)
    // Only what touches files and hosts: an extension starts no command, no agent and no server, and asks nobody questions.
    const { fs, net, ...others }: RequirementSet = found?.manifest.requires ?? {}
    const isOffered = (fs !== undefined || net !== undefined) && Object.keys(others).length === 0
    if (found === undefined || found.manifest.foreign || !isOffered)
      throw new ToolError(
        "denied",
        `Cannot call "${tool}" for ${principal.name}: it is no tool that extensions may ask for`,
      )
    const { envelope } = await runCall({ name: tool, arguments: args, signal, principal, fromModel: true }, inner)
    if (envelope.type === "output") return envelope.data
    throw new Error(envelope.error_text)
  }
}
