import { readdirSync } from "node:fs"
import { join } from "node:path"
import { type FileEffectKind, isInside } from "@haft/contract"
import { statsOf } from "../files/system/look.js"
import { createMasks } from "../sandbox/masks/find-masks.js"
import type { SessionPlace } from "../sandbox/view/build-view.js"
import type { Mount } from "../sandbox/view/mount.js"
import { WorkspaceIndex } from "../workspace-index/index.js"
import type { OutsideBounds } from "./plan-names.js"

// Each is a mount of its own; above that only the names themselves are shown.
const maxSiblings = 200

/** What decides how the other entries of a folder are shown. */
export interface SiblingRequest {
  readonly bounds: OutsideBounds
  /** Where the view mounts something anyway. */
  readonly targets: readonly string[]
  readonly denies: (kind: FileEffectKind, path: string) => boolean
  /** Whether the call may read a path outside the workspace. */
  readonly mayRead: (path: string) => boolean
  /** Whether the view shows a path of the machine anyway. */
  readonly isShown: (path: string) => boolean
  readonly signal: AbortSignal
}

/** The folder whose other entries are shown. */
export interface SiblingFolder {
  readonly path: string
  /** What is shown as copies instead. */
  readonly names: ReadonlySet<string>
  /** The session's own home directory, where it takes the place of the folder. */
  readonly home: SessionPlace | undefined
}

/** An entry of a folder beside the names that a command may change. */
export interface Sibling {
  readonly name: string
  readonly what: "file" | "directory"
  readonly mounts: readonly Mount[]
  readonly isNeeded?: boolean
}

/** How the other entries of a folder get into the view: bound read-only, or covered where the command may not read. */
export async function siblingsOf(
  request: SiblingRequest,
  { path, names, home }: SiblingFolder,
): Promise<readonly Sibling[]> {
  const listed = namesIn(home?.source ?? path).filter((name) => !names.has(name))
  const few = listed.length <= maxSiblings
  const siblings: Sibling[] = []
  for (const name of listed) {
    const found = await siblingAt(request, name, { path, home })
    // Those that hold something else of the view are there in any case.
    if (found && (few || found.isNeeded)) siblings.push(found)
  }
  return siblings
}

async function siblingAt(
  request: SiblingRequest,
  name: string,
  { path: folder, home }: Omit<SiblingFolder, "names">,
): Promise<Sibling | undefined> {
  const target = join(folder, name)
  const facts = statsOf(join(home?.source ?? folder, name))
  if (!facts || (!facts.isDirectory() && !facts.isFile())) return undefined
  const what = facts.isDirectory() ? "directory" : "file"
  if (home) return { name, what, mounts: [{ kind: "write", source: join(home.source, name), target }] }
  const isHidden = request.bounds.hidden.some((own) => isInside(own, target))
  if (isHidden || request.targets.some((each) => each !== target && isInside(each, target))) {
    const mounts: readonly Mount[] = [{ kind: "memory", target, maxBytes: 64 * 1024, mode: 0o755, sealed: true }]
    return { name, what, isNeeded: true, mounts }
  }
  // The workspace itself, or another folder that is mounted later.
  if (request.targets.includes(target)) return { name, what, isNeeded: true, mounts: [] }
  return { name, what, mounts: await shown(request, target, what) }
}

async function shown(request: SiblingRequest, target: string, what: "file" | "directory"): Promise<readonly Mount[]> {
  const { denies, mayRead, isShown, signal } = request
  const hide: Mount = { kind: "hide", target, what }
  if (isShown(target)) return [{ kind: "read", source: target, target }]
  if (denies("fs.read", target) || !mayRead(target)) return [hide]
  const bind: Mount = { kind: "read", source: target, target }
  if (what === "file") return [bind]
  const index = new WorkspaceIndex({ root: target, leavesUnread: true })
  await index.refresh({ maxMs: 500, maxEntries: 20_000 })
  signal.throwIfAborted()
  const masks = createMasks([index])({ denies })
  if (!masks.complete) return [hide]
  const unread = index.unread().map((folder): Mount => ({ kind: "hide", target: folder, what: "directory" }))
  return [bind, ...masks.mounts.filter(({ kind }) => kind === "hide"), ...unread]
}

function namesIn(path: string): readonly string[] {
  try {
    return readdirSync(path).filter((name) => !name.includes("\ufffd"))
  } catch {
    return []
  }
}
