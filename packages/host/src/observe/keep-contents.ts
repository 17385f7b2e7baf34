import { type WalledGrant, isInside } from "@haft/contract"
import type { ContentPack } from "./content-pack.js"
import { createTurns } from "./create-turns.js"
import type { ObserveLimits } from "./observe-limits.js"
import type { Entry, Snapshot } from "./scan-workspace.js"

/** What a grant says about files before a command. */
export interface KeepGrant extends Pick<WalledGrant, "admits" | "denies" | "mayKeep"> {
  /** Absolute paths that the verdict saw the command write or delete; all below a folder. */
  readonly writes?: readonly string[]
}

/** What the decision about one file needs. */
export interface KeepRequest {
  readonly snapshot: Snapshot
  readonly pack: ContentPack
  readonly grant: KeepGrant
  readonly limits: ObserveLimits
}

/**
 * Copies files that a command might change or delete. First those that the command was judged to write, then what was
 * changed last: that is what people lose most. Stops when time or room is used up; copies stay for the next command.
 */
export async function keepContents({ snapshot, pack, grant, limits }: KeepRequest): Promise<void> {
  const turns = createTurns()
  for (const path of pack.paths()) if (!snapshot.has(path)) pack.forget(path)
  for (const { path, entry } of wanted({ snapshot, pack, grant, limits })) {
    if (turns.isOver(limits.keepMs)) return
    if (pack.liveBytes + entry.size > limits.totalBytes) continue
    if (whyNotKept(path, entry, { grant, limits }) !== undefined) continue
    await pack.keep(path, entry, turns)
    await turns.breathe()
  }
}

/** The reason why a file is never kept; undefined when it can be. */
export function whyNotKept(
  path: string,
  entry: Entry,
  { grant, limits }: Pick<KeepRequest, "grant" | "limits">,
): string | undefined {
  const reason = whyNoContent(entry)
  if (reason !== undefined) return reason
  if (!grant.mayKeep(path) || grant.denies("fs.read", path)) return "a rule names it as secret"
  if (entry.size <= limits.fileBytes) return undefined
  if (entry.size <= limits.judgedFileBytes && isJudged(path, grant)) return undefined
  return `it is larger than ${Math.floor(limits.fileBytes / 1024)} KB`
}

/** The reason why nothing of an entry is ever kept; undefined for files, links and folders. */
export function whyNoContent({ kind, within, bytes }: Entry): string | undefined {
  if (within === "git") return "git's own records are not kept; use git to go back"
  if (within === "packages") return "installed packages are not kept; install them again"
  if (bytes) return "its name is not UTF-8"
  return kind === "other" ? "only files, links and folders are kept" : undefined
}

function isJudged(path: string, grant: KeepGrant): boolean {
  return grant.admits("fs.write", path) || grant.admits("fs.delete", path)
}

interface Wanted {
  readonly path: string
  readonly entry: Entry
  readonly rank: number
}

/** Files that are not in the pack yet: those that the command was seen to name first, then the newest. */
function wanted({ snapshot, pack, grant, limits }: KeepRequest): readonly Wanted[] {
  const missing: Wanted[] = []
  const { writes = [] } = grant
  for (const [path, entry] of snapshot) {
    if (entry.kind !== "file" || entry.within !== undefined || entry.size > limits.judgedFileBytes) continue
    if (pack.holds(path, entry)) continue
    const isNamed = writes.some((named) => isInside(path, named))
    missing.push({ path, entry, rank: isNamed ? Number.POSITIVE_INFINITY : entry.mtimeMs })
  }
  return missing.sort((one, other) => (one.rank === other.rank ? 0 : other.rank - one.rank))
}
