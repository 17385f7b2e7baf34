import { readdir, readFile, stat } from "node:fs/promises"
import { join, posix, win32 } from "node:path"
import { bestEffort } from "@haft/contract"
import type { IndexedItem } from "./match/item-table.js"
import { foldText, prepareText } from "./match/prepare.js"

/** The applications in some folders; a file is read again only when it has changed. */
export interface ApplicationList {
  read(): Promise<readonly IndexedItem[]>
}

/** Lists `.desktop` files (Linux), `.app` bundles (macOS) and `.lnk` files (Windows), each known by its ending. */
export function createApplicationList(folders: readonly string[]): ApplicationList {
  let known = new Map<string, KnownEntry>()

  async function entryOf({ path, ending, title }: FoundFile, seen: Map<string, KnownEntry>) {
    if (ending !== ".desktop") return { name: title, otherNames: [], shown: true }
    const version = await versionOf(path)
    if (version === undefined) return undefined
    const before = known.get(path)
    const entry = before?.version === version ? before.entry : parseDesktopEntry(await readQuietly(path))
    seen.set(path, { version, entry })
    return entry
  }

  return {
    async read() {
      const items = new Map<string, IndexedItem | undefined>()
      const seen = new Map<string, KnownEntry>()
      for (const folder of folders) {
        for (const file of await filesIn(folder)) {
          // The first folder wins, also when its file only says that the application is hidden.
          if (items.has(file.id)) continue
          const entry = await entryOf(file, seen)
          if (entry !== undefined) items.set(file.id, entry.shown ? itemOf(file.id, entry) : undefined)
        }
      }
      known = seen
      return [...items.values()].filter((item) => item !== undefined)
    },
  }
}

interface KnownEntry {
  readonly version: string
  readonly entry: DesktopEntry | undefined
}

interface FoundFile {
  readonly path: string
  /** Its path below the folder, joined by "-", without the ending. */
  readonly id: string
  readonly title: string
  readonly ending: string
}

const endings = [".desktop", ".app", ".lnk"]
// Menus are shallow; a folder that is linked into itself must end somewhere.
const maxDepth = 4
const maxFiles = 5_000
const maxFileBytes = 256 * 1024

async function filesIn(folder: string): Promise<readonly FoundFile[]> {
  const found: FoundFile[] = []
  async function visit(directory: string, prefix: string, depth: number): Promise<void> {
    const entries =
      (await bestEffort(
        "a folder that cannot be read has no applications",
        readdir(directory, { withFileTypes: true }),
      )) ?? []
    entries.sort((one, other) => (one.name < other.name ? -1 : 1))
    for (const entry of entries) {
      if (found.length >= maxFiles) return
      const path = join(directory, entry.name)
      const ending = endings.find((each) => entry.name.endsWith(each))
      if (ending !== undefined) {
        const title = entry.name.slice(0, -ending.length)
        found.push({ path, id: `${prefix}${title}`, title, ending })
      } else if (entry.isDirectory() && depth < maxDepth) await visit(path, `${prefix}${entry.name}-`, depth + 1)
    }
  }
  await visit(folder, "", 1)
  return found
}

async function versionOf(path: string): Promise<string | undefined> {
  try {
    const found = await stat(path)
    if (!found.isFile() || found.size > maxFileBytes) return undefined
    return `${found.ino}:${found.mtimeMs}:${found.size}`
  } catch {
    return undefined
  }
}

async function readQuietly(path: string): Promise<string> {
  return (await bestEffort("an entry that cannot be read lists no application", readFile(path, "utf8"))) ?? ""
}

function itemOf(id: string, { name, otherNames }: DesktopEntry): IndexedItem {
  return {
    id: `app_${id}`,
    name,
    type: "application",
    order: foldText(name),
    texts: [name, ...otherNames].map((each) => prepareText(each)),
  }
}

/** What says where applications are. */
export interface ApplicationPlaces {
  readonly platform: NodeJS.Platform
  readonly environment: Readonly<Record<string, string | undefined>>
  readonly home: string
}

/** The folders that list the applications of this machine, the ones that win first. */
export function defaultApplicationFolders({ platform, environment, home }: ApplicationPlaces): readonly string[] {
  if (platform === "darwin") {
    return [posix.join(home, "Applications"), "/Applications", "/System/Applications"]
  }
  if (platform === "win32") {
    return [environment.APPDATA, environment.ProgramData]
      .filter((folder) => folder !== undefined && folder !== "")
      .map((folder) => win32.join(folder!, "Microsoft", "Windows", "Start Menu", "Programs"))
  }
  const own = environment.XDG_DATA_HOME || posix.join(home, ".local", "share")
  const shared = (environment.XDG_DATA_DIRS || "/usr/local/share:/usr/share").split(":")
  const folders = [
    own,
    ...shared,
    posix.join(own, "flatpak", "exports", "share"),
    "/var/lib/flatpak/exports/share",
    "/var/lib/snapd/desktop",
  ]
  return [...new Set(folders.filter((folder) => posix.isAbsolute(folder)))].map((folder) =>
    posix.join(folder, "applications"),
  )
}

/** An application as its desktop file names it. */
export interface DesktopEntry {
  readonly name: string
  /** The names in other languages that people may type. */
  readonly otherNames: readonly string[]
  /** False when the file says that no menu should list it. */
  readonly shown: boolean
}

/** Reads the text of a `.desktop` file; undefined when it describes no application. */
export function parseDesktopEntry(text: string): DesktopEntry | undefined {
  const values = mainGroup(text)
  const name = readable(values.get("Name"))
  if (values.get("Type") !== "Application" || name === undefined) return undefined
  const names = ["Name[zh_CN]", "Name[zh]", "GenericName"].map((key) => readable(values.get(key)))
  return {
    name,
    otherNames: [...new Set(names)].filter((other) => other !== undefined && other !== name) as string[],
    shown: values.get("NoDisplay") !== "true" && values.get("Hidden") !== "true",
  }
}

/** The keys of the group that describes the application itself; later groups describe single actions. */
function mainGroup(text: string): ReadonlyMap<string, string> {
  const values = new Map<string, string>()
  let inGroup = false
  for (const line of text.replace(/^\ufeff/, "").split(/\r?\n/)) {
    if (line.startsWith("[")) {
      if (inGroup) break
      inGroup = line.trim() === "[Desktop Entry]"
      continue
    }
    const at = line.indexOf("=")
    if (!inGroup || line.startsWith("#") || at < 0) continue
    const key = line.slice(0, at).trim()
    if (!values.has(key)) values.set(key, line.slice(at + 1).trim())
  }
  return values
}

/** A value as people read it, on one line. */
function readable(value: string | undefined): string | undefined {
  const text = value
    ?.replace(/\\([sntr\\])/g, (_, letter: string) => (letter === "\\" ? "\\" : " "))
    .replace(/\p{Cc}+/gu, " ")
    .trim()
    .slice(0, maxNameLength)
  return text === "" ? undefined : text
}

const maxNameLength = 200
