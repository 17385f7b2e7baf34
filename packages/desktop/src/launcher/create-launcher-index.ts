import { homedir } from "node:os"
import { type CallScope, type LauncherIndex, ToolError } from "@haft/contract"
import { createApplicationList, defaultApplicationFolders } from "./application-list.js"
import { createFileList } from "./file-list.js"
import { createItemTable, type IndexedItem, type ItemTable } from "./match/item-table.js"
import { foldText, prepareText } from "./match/prepare-text.js"
import { createLiveValue } from "./live-value.js"
import { searchTables } from "./search-tables.js"
import { openUsage } from "./usage/open-usage.js"

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
  const usage = openUsage(databaseFile, now)
  const applications = createApplicationList(options.applicationFolders ?? machineFolders())
  const files = createFileList(roots, maxFiles)
  const tables = createLiveValue<readonly ItemTable[]>(async (signal) => {
    const [found, skills, recent] = await Promise.all([
      applications.read(),
      // A broken skill folder is told by the skill tool, not here.
      options.skills().catch(() => []),
      files.read(signal),
      usage.refresh(),
    ])
    const named = [
      ...options.commands.map((command) => itemOf("command", command)),
      ...options.tools.map((tool) => itemOf("tool", tool)),
      ...skills.map(({ name }) => itemOf("skill", { id: name, name })),
    ]
    return [await createItemTable([...named, ...found]), recent]
  })

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
      await usage.close()
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
