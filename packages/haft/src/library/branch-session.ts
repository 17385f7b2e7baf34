import { randomBytes } from "node:crypto"
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

/** The session of that id, or of an id that begins so; `last` is the newest of these roots, else the newest of all. */
export async function sessionNamed(store: Store, id: string, roots: readonly string[]): Promise<SessionRecord> {
  const session = id === "last" ? await lastSession(store, roots) : await store.session(id)
  if (session) return session
  throw new ToolError("not_found", `Cannot find session "${id}": there is none`, {
    hint: "See the list with: haft session list",
  })
}

async function lastSession(store: Store, [root]: readonly string[]): Promise<SessionRecord | undefined> {
  const [here] = await store.sessions({ root: root!, limit: 1 })
  return here ?? (await store.sessions({ limit: 1 }))[0]
}
