import { ToolError, type Usage } from "@haft/contract"
import { visibleLine } from "@haft/guard"
import type { SessionSummary } from "@haft/store"
import { table } from "../../terminal/columns.js"
import type { Style } from "../../terminal/style.js"
import type { Run } from "../command.js"
import { exitCodes } from "../exit-code.js"
import { printRows } from "../print.js"
import { withStore } from "./with-store.js"

/** `haft session list`: sessions of this folder first, then the others, each last used first. */
export const run: Run = async (invocation, io) => {
  const limit = limitOf(invocation.text("limit"))
  const filter = { archived: invocation.flag("all"), ...(limit === undefined ? {} : { limit }) }
  const sessions = await withStore(invocation, io, async (store, { roots }) => {
    const here = await store.sessions({ ...filter, root: roots[0]! })
    const ids = new Set(here.map(({ id }) => id))
    const others = (await store.sessions(filter)).filter(({ id }) => !ids.has(id))
    return [...here, ...others].slice(0, limit)
  })
  const rows = sessions.map(({ id, parentId, roots, directory, calls, usage, createdAt, updatedAt, archivedAt }) => ({
    id,
    ...(parentId !== undefined && { parentId }),
    roots,
    directory,
    calls,
    ...(usage && { usage }),
    createdAt,
    updatedAt,
    archivedAt,
  }))
  printRows(invocation, io, rows, (style) => words(sessions, style))
  return exitCodes.ok
}

function words(sessions: readonly SessionSummary[], style: Style): string {
  if (sessions.length === 0) return style.say`no sessions`
  const rows = sessions.map(({ id, agent, parentId, calls, usage, updatedAt, directory }) => [
    id,
    parentId === undefined ? "-" : visibleLine(agent, 24),
    String(calls),
    usage === undefined ? "-" : String(totalTokens(usage)),
    usage?.cost === undefined ? "-" : `$${usage.cost.toFixed(4)}`,
    new Date(updatedAt).toISOString(),
    visibleLine(directory),
  ])
  return table(["SESSION", "SUBAGENT", "CALLS", "TOKENS", "COST", "LAST USED", "DIRECTORY"], rows, style)
}

function totalTokens({ inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens }: Usage): number {
  return inputTokens + outputTokens + cacheReadTokens + cacheWriteTokens
}

function limitOf(text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  const limit = Number(text)
  if (Number.isSafeInteger(limit) && limit > 0) return limit
  throw new ToolError("invalid_args", `Cannot use "${text}" for "--limit": it must be a whole number above 0`)
}
