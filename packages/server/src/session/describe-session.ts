import { type ApiSession, type SessionRecord, ToolError } from "@haft/contract"
import { inputText } from "../events/journal-events.js"
import type { ServedJournal } from "../host.js"
import type { OpenSession, OpenSessions } from "./open-sessions.js"

/** A session for a page. */
export async function describeSession(
  record: SessionRecord & { readonly calls?: number },
  journal: ServedJournal,
  open: OpenSession | undefined,
): Promise<ApiSession> {
  const { id, agent, roots, directory, createdAt, updatedAt, archivedAt, metadata } = record
  const owner = open ? undefined : await journal.owner(id)
  // A subagent works in this process and is not one of the open sessions.
  const isHere = open !== undefined || owner?.process === journal.label
  const title = await titleOf(record, journal)
  return {
    ...{ id, agent, roots, directory, createdAt, updatedAt, archivedAt },
    calls: record.calls ?? (await journal.sessions({ id, archived: true }))[0]?.calls ?? 0,
    state: isHere ? "open" : metadata.imported === true ? "read-only" : owner ? "elsewhere" : "closed",
    ...(owner && !isHere && { owner: { pid: owner.pid, host: owner.host } }),
    ...(title !== undefined && { title }),
    ...(typeof metadata.parent === "string" && { parentId: metadata.parent }),
    ...(isFork(metadata.forkedFrom) && { forkedFrom: metadata.forkedFrom }),
    ...(typeof metadata.model === "string" && { model: metadata.model }),
    ...(open && describeOpen(open)),
  }
}

/** What is known of an open session without the journal. */
function describeOpen({ session, toolset, turns, calls, turnsRunning }: OpenSession) {
  return {
    toolset,
    mode: session.mode,
    ...(turns && { model: turns.model }),
    running: { turns: [...turnsRunning], calls: [...calls.keys()] },
  }
}

/** The session with exactly this id. */
export async function sessionNamed(id: string, journal: ServedJournal): Promise<SessionRecord> {
  const found = await journal.session(id)
  if (found?.id === id) return found
  throw new ToolError("not_found", `Cannot find session "${id.slice(0, 100)}": the journal has none with this id`, {
    hint: "See GET /api/sessions",
  })
}

/** All sessions that are open here, for the overview. */
export async function describeAll(sessions: OpenSessions, journal: ServedJournal): Promise<readonly ApiSession[]> {
  const counts = new Map((await journal.sessions({ limit: maxCounted })).map(({ id, calls }) => [id, calls]))
  const described = sessions.list().map((open) => {
    return describeSession({ ...open.record, calls: counts.get(open.record.id) ?? 0 }, journal, open)
  })
  return Promise.all(described)
}

// Open sessions are among those that were used last.
const maxCounted = 200
const titleCharacters = 80

/** What was said first, where the session has no title of its own. */
async function titleOf({ id, metadata }: SessionRecord, journal: ServedJournal): Promise<string | undefined> {
  if (typeof metadata.title === "string") return metadata.title
  const [first] = await journal.records(id, { limit: 1 })
  const text = first?.kind === "start" ? inputText(first.input).trim() : ""
  return text === "" ? undefined : text.slice(0, titleCharacters)
}

function isFork(value: unknown): value is NonNullable<ApiSession["forkedFrom"]> {
  return typeof value === "object" && value !== null && typeof (value as { session?: unknown }).session === "string"
}
