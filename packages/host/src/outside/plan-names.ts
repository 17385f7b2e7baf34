import { lstatSync, realpathSync } from "node:fs"
import { basename, dirname, join } from "node:path"
import { isInside, type OutsideWrite, ToolError } from "@haft/contract"

/** A name outside the workspace that a command may change. */
export interface OutsideName {
  readonly path: string
  readonly kind: OutsideWrite["kind"]
  /** The nearest folder above it that is there. */
  readonly folder: string
  /** Its own name in that folder, or the first of the folders that are missing on the way to it. */
  readonly first: string
}

/** What no command may change, whatever was approved. */
export interface OutsideBounds {
  /** What commands work in anyway: names in there are not outside. */
  readonly inside: readonly string[]
  /** State and configuration of Haft. */
  readonly hidden: readonly string[]
  readonly roots: readonly string[]
  readonly home: string
}

/** The names that are to be shown to a command; throws for one that cannot be written by way of a copy. */
export function planNames(writes: readonly OutsideWrite[], bounds: OutsideBounds): readonly OutsideName[] {
  const names = writes.flatMap((write) => {
    const path = entryPath(write)
    if (bounds.inside.some((folder) => isInside(path, folder))) return []
    assertOpen(path, bounds)
    if (path !== write.absolute) {
      throw refused(
        path,
        `"${write.absolute}" leads there through a link`,
        "Name the place itself, without a link in its path",
      )
    }
    const folder = folderAbove(path)
    assertNoSystem(path, folder)
    const first = path.slice(folder.length + 1).split("/")[0]!
    return [{ path, kind: write.kind, folder, first }]
  })
  const isCovered = (name: OutsideName, place: number) =>
    names.some((other, at) => isInside(name.path, other.path) && (other.path !== name.path || at < place))
  return names.filter((name, place) => !isCovered(name, place))
}

/** A command that must not start, because of a name outside the workspace. */
export function refused(path: string, reason: string, hint: string = elsewhere): ToolError {
  return new ToolError(
    "unsupported",
    `Cannot run the command: it changes "${path}" outside the workspace, and ${reason}`,
    {
      hint,
    },
  )
}

const elsewhere = "Write it in the workspace, and let the person put it in its place"

/** Removing or moving a link means the link; writing it means what it points to. */
function entryPath({ kind, path, absolute }: OutsideWrite): string {
  if (kind === "fs.write" || absolute === path) return path
  try {
    return join(realpathSync(dirname(absolute)), basename(absolute))
  } catch {
    return path
  }
}

function assertOpen(path: string, { hidden, roots, home }: OutsideBounds): void {
  if (roots.some((root) => isInside(root, path))) throw refused(path, "the workspace is in it")
  const own = hidden.find((folder) => isInside(path, folder) || isInside(folder, path))
  if (own !== undefined) {
    const reason = isInside(path, own) ? "belongs to Haft itself" : "holds what belongs to Haft itself"
    throw new ToolError("denied", `Cannot run the command: it changes "${path}", which ${reason}`)
  }
  if (isInside(home, path)) throw refused(path, "the home directory is in it")
}

function folderAbove(path: string): string {
  let folder = dirname(path)
  while (!lstatSync(folder, { throwIfNoEntry: false })?.isDirectory()) folder = dirname(folder)
  return folder
}

/** A copy of such a folder in its place would take the programs and settings away from the command that it needs itself. */
function assertNoSystem(path: string, folder: string): void {
  const isSystem = systemFolders.some((system) => isInside(folder, system)) && !isInside(folder, "/usr/local")
  if (isSystem || bareFolders.includes(folder)) throw refused(path, `"${folder}" belongs to the system`)
}

const systemFolders = [
  ...["/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32", "/etc", "/boot", "/nix/store", "/snap"],
  ...["/proc", "/sys", "/dev", "/run", "/var/run", "/var/lib"],
]
const bareFolders = ["/", "/var"]
