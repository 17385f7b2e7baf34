import { readdirSync } from "node:fs"
import { join } from "node:path"
import { ignoreMissing, type PlacedRule } from "@haft/contract"
import type { Variables } from "@haft/guard"
import { arrange, type ForeignEntry, type ImportedRow, withoutExceptions } from "./arrange.js"
import { byStrictness, readClaude, readClaw } from "./claude.js"
import { readCodex } from "./codex.js"
import { readCursor } from "./cursor.js"
import { ForeignError, ForeignJson, type ForeignPlace, type ForeignProblem, readForeign } from "./foreign-file.js"
import { readOpencode } from "./opencode.js"
import { readZed } from "./zed.js"

/** Programs whose permission settings can be read. */
export const programs = ["claude", "opencode", "codex", "zed", "cursor", "claw"] as const
export type ForeignProgram = (typeof programs)[number]

/** Where settings are looked for. */
export interface ImportRequest {
  readonly root: string
  readonly userHome: string
  /** `XDG_CONFIG_HOME` or its default. */
  readonly configHome: string
  readonly programs: readonly ForeignProgram[]
  /** The rules that hold already: nothing imported is an exception from one of them. */
  readonly existing: readonly PlacedRule[]
  readonly variables: Variables
}

/** What was found, and what it becomes. */
export interface ImportReport {
  readonly files: readonly ForeignPlace[]
  readonly rows: readonly ImportedRow[]
  /** Nothing is taken from a file that has one. */
  readonly problems: readonly ForeignProblem[]
}

/** Reads the settings of other programs and translates what they mean; touches nothing. */
export function importSettings(request: ImportRequest): ImportReport {
  const files: ForeignPlace[] = []
  const problems: ForeignProblem[] = []
  const byProgram = request.programs.map((program) => {
    const { places, read, exceptions } = readers[program]
    const entries = places(request).flatMap((place) => {
      const text = readForeign(place)
      if (text === undefined) return []
      files.push(place)
      if (typeof text === "string") return entriesIn(text, place, read, problems)
      problems.push(text)
      return []
    })
    return joined(arrange(exceptions ? entries : byStrictness(entries), { exceptions }))
  })
  const rows = withoutExceptions(byProgram, request.existing, request.variables)
  return { files, rows, problems }
}

type Read = (text: string, place: ForeignPlace) => readonly ForeignEntry[]

// A list of more is a mistake or an attack, and comparing each rule with each takes the square of it.
const maxEntries = 1000

function entriesIn(text: string, place: ForeignPlace, read: Read, problems: ForeignProblem[]): readonly ForeignEntry[] {
  try {
    const entries = read(text, place)
    if (entries.length <= maxEntries) return entries
    throw new ForeignError(entries[maxEntries]!.line, `it has more than ${maxEntries} rules`)
  } catch (error) {
    if (!(error instanceof ForeignError)) throw error
    problems.push({ file: place.name, line: error.line, reason: error.message })
    return []
  }
}

/** An entry that means several of our tools is one row. */
function joined(rows: readonly ImportedRow[]): readonly ImportedRow[] {
  const found = new Map<string, ImportedRow>()
  for (const row of rows) {
    const { place, line, text } = row.entry
    const key = JSON.stringify([place.path, line, text])
    const other = found.get(key)
    found.set(key, other ? both(other, row) : row)
  }
  return [...found.values()]
}

function both(one: ImportedRow, other: ImportedRow): ImportedRow {
  const note = one.note ?? other.note
  const result = one.result === other.result ? one.result : "narrowed"
  return { entry: one.entry, result, rules: [...one.rules, ...other.rules], ...(note !== undefined && { note }) }
}

interface Reader {
  places(request: ImportRequest): readonly ForeignPlace[]
  readonly read: Read
  /** Whether a mild rule of this program may be an exception from a strict one. */
  readonly exceptions: boolean
}

const asJson =
  (read: (json: ForeignJson, place: ForeignPlace) => readonly ForeignEntry[]): Read =>
  (text, place) =>
    read(new ForeignJson(text), place)

const readers: Readonly<Record<ForeignProgram, Reader>> = {
  claude: {
    exceptions: false,
    read: asJson(readClaude),
    places: ({ root, userHome }) => [
      shared(root, ".claude/settings.json"),
      own(root, ".claude/settings.local.json"),
      ofHome(userHome, ".claude/settings.json"),
    ],
  },
  opencode: {
    exceptions: true,
    read: asJson(readOpencode),
    // What is read first decides first: the project over the user.
    places: ({ root, configHome }) => [
      ...[".opencode/opencode.jsonc", ".opencode/opencode.json", "opencode.jsonc", "opencode.json"].map((name) =>
        shared(root, name),
      ),
      ...["opencode.jsonc", "opencode.json"].map((name) => ({
        path: join(configHome, "opencode", name),
        name: `~/.config/opencode/${name}`,
        personal: true,
      })),
    ],
  },
  codex: {
    exceptions: false,
    read: readCodex,
    places: ({ root, userHome }) => [
      ...rulesIn(join(root, ".codex/rules")).map((name) => shared(root, `.codex/rules/${name}`)),
      ...rulesIn(join(userHome, ".codex/rules")).map((name) => ofHome(userHome, `.codex/rules/${name}`)),
    ],
  },
  zed: {
    exceptions: false,
    read: asJson(readZed),
    places: ({ root, configHome }) => [
      shared(root, ".zed/settings.json"),
      { path: join(configHome, "zed/settings.json"), name: "~/.config/zed/settings.json", personal: true },
    ],
  },
  cursor: {
    exceptions: false,
    read: asJson(readCursor),
    places: ({ root, userHome }) => [
      shared(root, ".cursor/permissions.json"),
      shared(root, ".cursor/cli.json"),
      ofHome(userHome, ".cursor/permissions.json"),
      ofHome(userHome, ".cursor/cli-config.json"),
    ],
  },
  claw: {
    exceptions: false,
    read: asJson(readClaw),
    places: ({ root, userHome }) => [
      shared(root, ".claw.json"),
      shared(root, ".claw/settings.json"),
      own(root, ".claw/settings.local.json"),
      ofHome(userHome, ".claw/settings.json"),
    ],
  },
}

function shared(root: string, name: string): ForeignPlace {
  return { path: join(root, name), name, personal: false }
}

function own(root: string, name: string): ForeignPlace {
  return { path: join(root, name), name, personal: true }
}

function ofHome(userHome: string, name: string): ForeignPlace {
  return { path: join(userHome, name), name: `~/${name}`, personal: true }
}

const maxFiles = 50

function rulesIn(folder: string): readonly string[] {
  const names = ignoreMissing(() => readdirSync(folder)) ?? []
  return names
    .filter((name) => name.endsWith(".rules"))
    .sort()
    .slice(0, maxFiles)
}
