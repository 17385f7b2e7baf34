import type { Stats } from "node:fs"
import { ToolError } from "@haft/contract"
import { type Kept, keepFormer, nothingToKeep, notKept } from "../../undo/keep/keep-former.js"
import { identityOf, sameIdentity } from "../ledger.js"
import { lstat, rename } from "../system/file-call.js"
import type { Program } from "../system/program.js"
import { unsteadyPath } from "../walk/assert-same-root.js"
import type { HeldDirectory, Place, Target } from "../walk/walk.js"
import { makeParents, removeParents } from "./make-parents.js"
import { removeTemp, writeTemp } from "./temp-file.js"

/** A decided write. */
export interface Commit {
  readonly target: Target
  readonly place: Place
  readonly bytes: Uint8Array
  /** The state of the file that was read; undefined when it must still be missing. */
  readonly expected: Stats | undefined
  readonly mode?: number
  /** Former content and the history that is to keep it, or the reason not to. */
  readonly former: string | FormerPlan | undefined
  /** Called right before the rename; a throw leaves the file as it was. */
  readonly beforeRename: () => void
}

/** Former content that the history is to keep. The hash may still be in the making. */
interface FormerPlan {
  readonly historyFolder: string
  readonly bytes: Uint8Array | undefined
  readonly hash: string | Promise<string>
}

/** What a commit did. */
export interface Committed {
  /** The directory that the file is in, to be closed by the caller when it is not that of the place. */
  readonly directory: HeldDirectory
  readonly facts: Stats
  readonly kept: true | string
  readonly createdDirectories: readonly string[]
}

/**
 * Writes a temporary file in the held directory and renames it over the target, if that is still as it was read.
 * A failure leaves nothing behind, not even the directories that were made for the file.
 */
export function* commit(plan: Commit): Program<Committed> {
  const createdDirectories: string[] = []
  try {
    return yield* commitBelow(plan, createdDirectories)
  } catch (error) {
    yield* removeParents(plan.place, createdDirectories)
    throw error
  }
}

function* commitBelow(plan: Commit, createdDirectories: string[]): Program<Committed> {
  const { target, place } = plan
  const { directory, name } = yield* makeParents(place, createdDirectories)
  try {
    const temp = yield* writeTemp(directory, { name, bytes: plan.bytes, like: plan.expected, mode: plan.mode })
    try {
      const hash = yield* settled(typeof plan.former === "object" ? plan.former.hash : "")
      yield* assertUnchanged(plan, directory, name)
      const former = yield* keep(plan, { directory, name, hash })
      try {
        plan.beforeRename()
        yield* rename(directory.entry(temp), directory.entry(name))
      } catch (error) {
        yield* former.drop()
        throw error
      }
      former.seal()
      const facts = yield* lstat(directory.entry(name))
      if (!facts) throw unsteadyPath(target)
      return { directory, facts, kept: former.kept, createdDirectories }
    } catch (error) {
      yield* removeTemp(directory, temp)
      throw error
    }
  } catch (error) {
    if (directory !== place.directory) directory.close()
    throw error
  }
}

/** The last look before the rename: the directory is in place, and the file is the one that was read. */
function* assertUnchanged({ target, expected }: Commit, directory: HeldDirectory, name: string): Program<void> {
  if (!(yield* directory.isInPlace())) throw unsteadyPath(target)
  const now = yield* lstat(directory.entry(name))
  if (now && expected ? sameIdentity(identityOf(now), identityOf(expected)) : !now && !expected) return
  const what = now ? (expected ? "was changed" : "was created") : "was removed"
  throw new ToolError("conflict", `Cannot ${target.action} "${target.shown}": it ${what} by somebody else meanwhile`, {
    hint: "Read the file again",
  })
}

function* keep(plan: Commit, at: { directory: HeldDirectory; name: string; hash: string }): Program<Kept> {
  const { former, expected } = plan
  if (!former || !expected) return nothingToKeep
  if (typeof former === "string") return notKept(former)
  return yield* keepFormer(former.historyFolder, { ...at, facts: expected, bytes: former.bytes })
}

/** Waits for something that is not a system call. */
function* settled(value: string | Promise<string>): Program<string> {
  if (typeof value === "string") return value
  return (yield { now: () => value, later: () => value, heavy: true }) as string
}
