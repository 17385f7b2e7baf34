import { randomBytes } from "node:crypto"
import { chmodSync, constants, mkdirSync, type Stats } from "node:fs"
import { dirname } from "node:path"
import { bestEffort, ToolError } from "@haft/contract"
import { errnoOf, isMissing } from "../../files/system/errno.js"
import { close, closeQuietly, link, lstat, open, rename, unlink, writeFully } from "../../files/system/file-call.js"
import type { Program } from "../../files/system/program.js"
import type { HeldDirectory } from "../../files/walk/walk.js"
import { maxObjectBytes, objectPath } from "./history-object.js"

/** Content that is about to be replaced. */
export interface FormerContent {
  readonly directory: HeldDirectory
  readonly name: string
  readonly facts: Stats
  readonly bytes: Uint8Array | undefined
  readonly hash: string
}

/** What became of it: `true` or the reason why it is not kept; `drop` undoes the keeping, `seal` ends it. */
export interface Kept {
  readonly kept: true | string
  drop(): Program<void>
  seal(): void
}

/**
 * Keeps the content that a rename is about to replace. Where possible the old file itself becomes the copy, by a
 * second name in the history, which costs no copying; what somebody still writes into it is found out by its hash.
 */
export function* keepFormer(historyFolder: string, former: FormerContent): Program<Kept> {
  if (former.bytes === undefined) return notKept(`it is larger than ${maxObjectBytes / 1024 / 1024} MB`)
  const object = objectPath(historyFolder, former.hash)
  try {
    const known = yield* lstat(object)
    if (known?.isFile() && known.size === former.bytes.length) return nothingToKeep
    const linked = former.facts.nlink === 1 && !known && (yield* linkObject(object, former))
    if (linked) return linkedObject(object)
    yield* copyObject(object, former.bytes)
    return nothingToKeep
  } catch (error) {
    if (!errnoOf(error)) throw error
    return notKept(`the history folder cannot be written (${errnoOf(error)})`)
  }
}

/** The outcome where nothing more is to be done. */
export const nothingToKeep: Kept = { kept: true, *drop() {}, seal() {} }

/** The outcome where the content cannot be brought back. */
export function notKept(reason: string): Kept {
  return { ...nothingToKeep, kept: reason }
}

function linkedObject(object: string): Kept {
  return {
    kept: true,
    // As long as the file keeps its own name, changes to it would also change the history.
    drop: () => unlink(object),
    seal() {
      bestEffort("the folder is closed to others anyway", () => chmodSync(object, 0o600))
    },
  }
}

/** False when the file system of the history is another one, or does not allow a second name. */
function* linkObject(object: string, { directory, name, facts }: FormerContent): Program<boolean> {
  try {
    yield* inFolder(object, () => link(directory.entry(name), object))
  } catch (error) {
    if (errnoOf(error) === "ENOSPC") throw error
    return false
  }
  const linked = yield* lstat(object)
  if (linked?.ino === facts.ino && linked.dev === facts.dev && linked.mtimeMs === facts.mtimeMs) return true
  yield* unlink(object)
  throw new ToolError("conflict", `Cannot write "${directory.path}/${name}": it was changed meanwhile; read it again`)
}

function* copyObject(object: string, bytes: Uint8Array): Program<void> {
  const temp = `${object}.${randomBytes(6).toString("hex")}`
  const flags = constants.O_CREAT | constants.O_EXCL | constants.O_WRONLY
  const descriptor = yield* inFolder(object, () => open(temp, flags, 0o600))
  try {
    yield* writeFully(descriptor, bytes)
    yield* close(descriptor)
    yield* rename(temp, object)
  } catch (error) {
    closeQuietly(descriptor)
    yield* unlink(temp)
    throw error
  }
}

/** Makes the folder of an object when it turns out to be missing. */
function* inFolder<Result>(object: string, make: () => Program<Result>): Program<Result> {
  try {
    return yield* make()
  } catch (error) {
    if (!isMissing(error)) throw error
  }
  mkdirSync(dirname(object), { recursive: true, mode: 0o700 })
  return yield* make()
}
