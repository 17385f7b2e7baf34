import { realpath, stat } from "node:fs/promises"
import { join, resolve } from "node:path"
import { isInside, type RefusedHost, type SandboxedCall, ToolError } from "@haft/contract"
import { destinationText } from "../address/destination.js"
import type { OnDecision } from "../proxy/decision.js"

/** Where the commands of a session may start. */
export interface Workplace {
  readonly directory: string
  readonly roots: readonly string[]
  readonly sessionFolder: string
}

/** The directory that a command starts in, links followed: inside a root or the session's scratch space. */
export async function workingDirectory(asked: string | undefined, place: Workplace): Promise<string> {
  if (asked === undefined) return place.directory
  const spelled = resolve(place.directory, asked)
  const resolved = await realpath(spelled).catch(() => undefined)
  if (resolved === undefined || !(await stat(resolved)).isDirectory()) {
    const reason = resolved === undefined ? "it does not exist" : "it is not a directory"
    throw new ToolError("not_found", `Cannot run a command in "${asked}": ${reason}; name a directory in the workspace`)
  }
  const allowed = [...place.roots, join(place.sessionFolder, "scratch")]
  if (allowed.some((root) => isInside(resolved, root))) return resolved
  throw new ToolError(
    "denied",
    `Cannot run a command in "${asked}": it lies outside the workspace; use a directory inside it`,
  )
}

// Nobody could type into an editor, and most of them wait for ever or leave a file as it was, which looks like success.
const noEditor = `sh -c 'echo "No editor can be opened here: nobody is at a terminal. Give the text with an option or a file" >&2; exit 1'`

/** Variables that keep programs from waiting for somebody to type a password, to edit or to page through a text. */
export const quietEnvironment: Readonly<Record<string, string>> = {
  GIT_TERMINAL_PROMPT: "0",
  GIT_ASKPASS: "",
  SSH_ASKPASS: "",
  SSH_ASKPASS_REQUIRE: "never",
  EDITOR: noEditor,
  VISUAL: noEditor,
}

// A command that tries one port after the other would fill the journal; so many tell what it was after.
const maxRefused = 100

/**
 * Records where a command went and where it was not let go as effects of its call; a refused destination once, however
 * often the command tries again. The reasons are added to `refusals`.
 */
export function observeDecisions(call: Pick<SandboxedCall, "observe">, refusals: RefusedHost[] = []): OnDecision {
  const refused = new Set<string>()
  return ({ host, port, allowed, reason, fix }) => {
    if (allowed) return call.observe({ kind: "net.fetch", host, port })
    const destination = destinationText(host, port)
    if (refused.has(destination) || refused.size >= maxRefused) return
    refused.add(destination)
    refusals.push({ destination, reason, ...(fix !== undefined && { fix }) })
    call.observe({ kind: "net.fetch", host, port, refused: fix === undefined ? reason : `${reason}; ${fix}` })
  }
}
