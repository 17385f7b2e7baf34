import { homedir } from "node:os"
import {
  bestEffort,
  type CallScope,
  type Grant,
  type IndexHit,
  type IndexHits,
  type LauncherIndex,
  ToolError,
} from "@haft/contract"
import { createYield } from "@haft/host"
import { createApplicationList, defaultApplicationFolders } from "./application-list.js"
import { createFileList } from "./file-list.js"
import { createLiveValue } from "./live-value.js"
import { createItemTable, type IndexedItem, type ItemTable } from "./match/item-table.js"
import { foldText, prepareQuery, prepareText } from "./match/prepare.js"
import { type RankedItem, rankItems, type WeightedTable } from "./match/rank-items.js"
import { frecency, Usage, type Use } from "./usage.js"

/** What the launcher knows, and where it keeps what was used. */
export interface LauncherIndexOptions {
  /** File of the uses; shared by all sessions and processes. */
  readonly databaseFile: string
  /** Folders of `.desktop`, `.app` or `.lnk` files; those of this machine by default. */
  readonly applicationFolders?: readonly string[]
  /** Folders whose recent files are known; paths in the first one are shown relative to it. */
  readonly roots: readonly string[]
  readonly commands: readonly { readonly id: string; readonly name: string }[]
  readonly tools: readonly { readonly id: string; readonly name: string }[]
  readonly skills: () => Promise<readonly { readonly name: string; readonly description: string }[]>
  /** How many calls of this session may have changed files so far: a search after one of them finds what it left. */
  readonly changes?: () => number
  /** Milliseconds since 1970. */
  readonly now?: () => number
}

/** The launcher's index of one session. */
export interface SessionLauncherIndex {
  /** The index inside the grant of one call. */
  index(call: CallScope): LauncherIndex
  /** Counts one use of a thing, now, for instance of `tool_read`. Costs next to nothing and never fails a call. */
  recordUse(id: string): void
  /** Stores what was counted. */
  close(): Promise<void>
}

/** Makes the index of applications, commands, tools, skills and recent files; nothing is read before the first search. */
export function createLauncherIndex(options: LauncherIndexOptions): SessionLauncherIndex {
  const { databaseFile, roots, now = Date.now } = options
  const usage = new Usage(databaseFile, now)
  const applications = createApplicationList(options.applicationFolders ?? machineFolders())
  const files = createFileList(roots, maxFiles)
  const tables = createLiveValue<readonly ItemTable[]>(async (signal) => {
    const [found, skills, recent] = await Promise.all([
      applications.read(),
      // The skill tool reports a broken skill folder.
      bestEffort("broken skills must not hide other items", options.skills()),
      files.read(signal),
      usage.refresh(),
    ])
    const named = [
      ...options.commands.map((command) => itemOf("command", command)),
      ...options.tools.map((tool) => itemOf("tool", tool)),
      ...(skills ?? []).map(({ name }) => itemOf("skill", { id: name, name })),
    ]
    return [await createItemTable([...named, ...found]), recent]
  }, options.changes)

  function recordUse(id: string): void {
    if (isKnownForm(id)) usage.record(id)
  }

  return {
    index: ({ grant }) => ({
      async search(query, { limit, signal }) {
        if (!Number.isInteger(limit) || limit < 0) throw badLimit(limit)
        const current = await tables.get(signal)
        return searchTables(current, { query, limit, signal, grant, uses: usage.uses, now: now() })
      },
      async recordUse(id) {
        if (!isKnownForm(id)) throw unknownForm(id)
        recordUse(id)
      },
    }),
    recordUse,
    async close() {
      await tables.close()
      await usage.store()
    },
  }
}

const maxFiles = 50_000
const prefixes = { command: "cmd", tool: "tool", skill: "skill" } as const

function itemOf(
  type: keyof typeof prefixes,
  { id, name }: { readonly id: string; readonly name: string },
): IndexedItem {
  const texts = [...new Set([name, id])].map((text) => prepareText(text))
  return { id: `${prefixes[type]}_${id}`, name, type, order: foldText(name), texts }
}

function machineFolders(): readonly string[] {
  return defaultApplicationFolders({ platform: process.platform, environment: process.env, home: homedir() })
}

function isKnownForm(id: string): boolean {
  return /^(app|cmd|tool|skill|file)_/.test(id) && id.length <= maxIdLength
}

const maxIdLength = 4_096

function badLimit(limit: number): ToolError {
  return new ToolError("invalid_args", `Cannot search with limit "${limit}": it must be a whole number, 0 or more`)
}

function unknownForm(id: string): ToolError {
  return new ToolError(
    "invalid_args",
    `Cannot count a use of "${id.slice(0, 100)}": ids begin with app_, cmd_, tool_, skill_ or file_`,
  )
}

interface TableSearch {
  readonly query: string
  readonly limit: number
  readonly signal: AbortSignal
  readonly grant: Grant
  readonly uses: ReadonlyMap<string, Use>
  readonly now: number
}

/**
 * The best things that may be shown. Each file is judged before it counts; refused ones leave their place to the next best
 * and are only counted, as far as they would have been among the best.
 */
async function searchTables(tables: readonly ItemTable[], search: TableSearch): Promise<IndexHits> {
  const query = prepareQuery(search.query)
  const weighted = tables.map((table) => weigh(table, search))
  const yieldToLoop = createYield()
  const hits: IndexHit[] = []
  let denied = 0
  let judged = 0
  for (let wanted = search.limit; hits.length < search.limit; wanted = Math.max(64, wanted * 8)) {
    const ranked = rankItems(weighted, query, wanted)
    for (; judged < ranked.length && hits.length < search.limit; judged++) {
      if (mayBeShown(ranked[judged]!, search.grant)) hits.push(hitOf(ranked[judged]!))
      else denied += 1
      await yieldToLoop()
      if (search.signal.aborted) throw new ToolError("cancelled", "Cannot search: the call was cancelled")
    }
    if (ranked.length < wanted) break
  }
  return { hits, denied }
}

/** Adds the frecency of the things in a table that were used; all others have none. */
function weigh(table: ItemTable, { uses, now }: TableSearch): WeightedTable {
  const weights = new Map<number, number>()
  for (const [id, use] of uses) {
    const place = table.places.get(id)
    if (place !== undefined) weights.set(place, frecency(use, now))
  }
  return { table, weights }
}

function mayBeShown({ item }: RankedItem, grant: Grant): boolean {
  return item.path === undefined || grant.admits("fs.read", item.path)
}

function hitOf({ item: { id, name, type }, score }: RankedItem): IndexHit {
  return { id, name, type, score }
}
