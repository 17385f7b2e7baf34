import { randomBytes } from "node:crypto"
import { existsSync } from "node:fs"
import { type SessionRecord, ToolError } from "@haft/contract"
import type { Store } from "@haft/store"
import type { Agents } from "./agents.js"
import type { StoreOpener } from "./session-journal.js"

/** Copies a session, or its beginning, into a new one, which starts without the rules that hold in the first. */
export async function forkSession(
  opener: StoreOpener,
  { id, at, roots }: { readonly id: string; readonly at?: string | undefined; readonly roots: readonly string[] },
): Promise<SessionRecord> {
  const store = await opener.store()
  const { id: origin } = await sessionNamed(store, id, roots)
  return store.fork(origin, { at, metadata: { folder: newFolder() } })
}

/** The name of a session's folder: unguessable, so that one session cannot name the files of another. */
export function newFolder(): string {
  return randomBytes(16).toString("hex")
}

/** Goes back to the end of a turn: the model does not see what came after it. */
export async function rewindSession(
  opener: StoreOpener,
  agents: Agents,
  { id, turn, roots }: { readonly id: string; readonly turn: string; readonly roots: readonly string[] },
): Promise<string> {
  const store = await opener.store()
  const session = await sessionNamed(store, id, roots)
  const turns = (await store.records(session.id)).flatMap(({ kind, turnId }) => (kind === "start" ? [turnId] : []))
  const named = turns.filter((each) => each === turn || (turn !== "" && each.startsWith(turn)))
  if (named.length !== 1 && !named.includes(turn)) {
    const reason = named.length === 0 ? "it has no such turn" : "several turns begin so"
    throw new ToolError("not_found", `Cannot rewind session "${session.id}" to "${turn}": ${reason}`, {
      hint: `See its turns with: haft session show ${session.id}`,
    })
  }
  const [only] = named.includes(turn) ? [turn] : named
  await agents.rewind(session, only!)
  return only!
}

/** An earlier session of the same roots. */
export async function findSession(
  { opener, roots }: { readonly opener: StoreOpener | undefined; readonly roots: readonly string[] },
  id: string,
): Promise<SessionRecord> {
  if (!opener) throw new ToolError("not_found", `Cannot open session "${id}": there is no journal`)
  return under(roots, await sessionNamed(await opener.store(), id, roots))
}

/** The rules that a person saved in a session speak of its own roots; elsewhere they would mean other files. */
function under(roots: readonly string[], session: SessionRecord): SessionRecord {
  if (session.roots.length === roots.length && session.roots.every((root) => roots.includes(root))) return session
  const gone = session.roots.find((root) => !existsSync(root))
  if (gone !== undefined) {
    throw new ToolError("not_found", `Cannot go on in session "${session.id}": its folder ${gone} is gone`, {
      hint: `Put the folder back, or see what was done with: haft session replay ${session.id}`,
    })
  }
  throw new ToolError(
    "conflict",
    `Cannot open session "${session.id}" here: it belongs to ${session.roots.join(", ")}`,
    {
      hint: `Say it with ${session.roots.map((root) => `--root ${root}`).join(" ")}, or leave the session out`,
    },
  )
}

/**
 * The session of that id, or of an id that begins so; `last` is the newest that no agent started, of these roots, else of all.
 */
export async function sessionNamed(store: Store, id: string, roots: readonly string[]): Promise<SessionRecord> {
  const session = id === "last" ? await lastSession(store, roots) : await store.session(id)
  if (session) return session
  throw new ToolError("not_found", `Cannot find session "${id}": there is none`, {
    hint: "See the list with: haft session list",
  })
}

async function lastSession(store: Store, [root]: readonly string[]): Promise<SessionRecord | undefined> {
  const [here] = await store.sessions({ root: root!, subagents: false, limit: 1 })
  return here ?? (await store.sessions({ subagents: false, limit: 1 }))[0]
}
