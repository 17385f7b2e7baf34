import { createHash } from "node:crypto"
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { bestEffort, ignoreMissing, ToolError } from "@haft/contract"
import type { Haft } from "../library/create-haft.js"
import type { Session } from "../library/session.js"
import type { Invocation } from "./invocation.js"
import type { Io } from "./io.js"
import type { Setup } from "./setup.js"

/** Without use for so long, the session of a terminal is over. */
const dayMs = 24 * 3_600_000

/** A session for one call: that of `--session`, else that of this terminal, else one of its own. */
export interface CallSession {
  readonly session: Session
  /** How it was come by: only a session that was named or is new for this call alone is spoken of as such. */
  readonly of: "name" | "terminal" | "call"
}

/** Opens the session that a call belongs to. One of a terminal that another process uses is not waited for. */
export async function openCallSession(
  invocation: Invocation,
  io: Io,
  { haft, setup }: { readonly haft: Haft; readonly setup: Setup },
): Promise<CallSession> {
  const id = invocation.text("session")
  if (id !== undefined) return { session: await haft.openSession({ id }), of: "name" }
  const place = terminalFile(invocation, io, setup)
  if (place === undefined) return { session: await haft.openSession({ endsWithCall: true }), of: "call" }
  const known = invocation.flag("new-session") ? undefined : terminalSession(place)
  try {
    if (known !== undefined) {
      const session = await haft.openSession({ id: known })
      remember(place, session.id)
      return { session, of: "terminal" }
    }
  } catch (error) {
    // In use elsewhere, as with xargs -P: this call is one of its own. A session that was removed is made anew.
    if (!ToolError.is(error) || !["conflict", "not_found"].includes(error.code)) throw error
    if (error.code === "conflict") return { session: await haft.openSession({ endsWithCall: true }), of: "call" }
  }
  const session = await haft.openSession()
  remember(place, session.id)
  return { session, of: "terminal" }
}

/** The session of this terminal, if a call has made one and the day is not over. */
export function knownTerminalSession(invocation: Invocation, io: Io, setup: Setup): string | undefined {
  const place = invocation.flag("new-session") ? undefined : terminalFile(invocation, io, setup)
  return place && terminalSession(place)
}

/** Rules and outputs of a session are about its roots and tools, so that others at the same terminal have another one. */
function terminalFile(invocation: Invocation, io: Io, { places, roots }: Setup): string | undefined {
  const terminal = io.terminal?.()
  if (terminal === undefined) return undefined
  const parts = [terminal, process.getuid?.(), roots, invocation.text("toolset"), invocation.text("dialect")]
  const name = createHash("sha256").update(JSON.stringify(parts)).digest("hex").slice(0, 32)
  return join(places.home, "terminals", name)
}

function terminalSession(file: string): string | undefined {
  const facts = ignoreMissing(() => statSync(file))
  if (!facts || Date.now() - facts.mtimeMs > dayMs) return undefined
  const id = readFileSync(file, "utf8").trim()
  return /^ses_\w+$/.test(id) ? id : undefined
}

function remember(file: string, id: string): void {
  const folder = join(file, "..")
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  writeFileSync(file, id, { mode: 0o600 })
  for (const name of readdirSync(folder)) {
    const old = join(folder, name)
    bestEffort("another process may have removed it", () => {
      if (Date.now() - statSync(old).mtimeMs > dayMs) rmSync(old)
    })
  }
}
