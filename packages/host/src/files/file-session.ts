import { relative, resolve, sep } from "node:path"
import { type CallScope, type FileEffectKind, isInside, type NewlineUnit, ToolError } from "@haft/contract"
import { createLedger, type Ledger } from "./ledger.js"
import { createLineIndex, type LineIndex } from "./lines/line-index.js"
import { createLookedFiles, type LookedFiles } from "./read/looked-files.js"
import type { SessionTemporary } from "./session-folder.js"
import { fileError } from "./system/errno.js"
import { type FileIdentity, sameIdentity } from "./system/file-identity.js"
import { drive, type Program } from "./system/program.js"
import { withinTurnBudget } from "./system/turn-budget.js"
import { resolveLinks } from "./walk/resolve-links.js"
import type { RootSet, Target } from "./walk/walk.js"

/** What the file ports of one session share. */
export interface FileSession {
  readonly directory: string
  readonly roots: RootSet
  readonly historyFolder: string
  /** The session's own folder for temporary files, whose size is bounded; undo and other one-time work have none. */
  readonly scratchFolder?: string | undefined
  /** /tmp and /var/tmp of the session; undefined where they are the machine's. */
  readonly temporary?: SessionTemporary | undefined
  readonly ledger: Ledger
  readonly lineIndexes: LineIndexCache
  readonly looked: LookedFiles
  /** Descriptors that outlive a call of theirs; closed with the session at the latest. */
  readonly open: Set<{ release(): void }>
}

/** A session that has read nothing yet. */
export function createFileSession(
  options: Pick<FileSession, "directory" | "roots" | "historyFolder" | "scratchFolder" | "temporary">,
): FileSession {
  const { directory, roots, historyFolder, scratchFolder, temporary } = options
  return {
    directory,
    roots,
    historyFolder,
    scratchFolder,
    temporary,
    ledger: createLedger(),
    lineIndexes: createLineIndexCache(),
    looked: createLookedFiles(),
    open: new Set(),
  }
}

/** The root and parts that a path means; `denied` outside all roots. */
export async function aim(session: FileSession, path: string, action: string): Promise<Target> {
  const absolute = absolutePath(session, path, action)
  const purpose = new ShownPurpose(session, absolute, action)
  const direct = session.roots.target(absolute, purpose)
  if (direct) return direct
  // A root may be spelled through a link above it. The resolved path is walked with the same care as any other.
  const resolved = session.roots.target(await drive(resolveLinks(absolute), true), purpose)
  if (resolved) return resolved
  throw new ToolError("denied", `Cannot ${action} "${path}": it lies outside the workspace; use a path inside it`)
}

/** Words for messages, made when one is needed. A class, because a getter in a literal makes a shape for each object. */
export class ShownPurpose {
  readonly action: string
  private readonly session: FileSession
  private readonly absolute: string

  constructor(session: FileSession, absolute: string, action: string) {
    this.session = session
    this.absolute = absolute
    this.action = action
  }

  get shown(): string {
    return display(this.session, this.absolute)
  }
}

/** The path from the working directory on, `..` removed by spelling. */
export function absolutePath({ directory }: Pick<FileSession, "directory">, path: string, action: string): string {
  if (path.includes("\0")) {
    const shown = path.replaceAll("\0", "\\0")
    // Not an argument of a wrong kind: no file can have this name, so none may be reached by it.
    throw new ToolError("denied", `Cannot ${action} "${shown}": a path cannot contain a NUL character; remove it`)
  }
  if (path === "") throw new ToolError("invalid_args", `Cannot ${action} "": the path is empty; name a file or "."`)
  // Most paths are plain chains of names below the directory, and then there is nothing to normalise.
  if (sep === "/" && directory !== "/" && !emptyOrDots.test(path)) return `${directory}/${path}`
  return resolve(directory, path)
}

const emptyOrDots = /(?:^|\/)\.{0,2}(?:\/|$)/

/** The path as shown to people: relative to the working directory where it lies inside it. */
export function display({ directory, temporary }: Pick<FileSession, "directory" | "temporary">, path: string): string {
  const absolute = resolve(directory, path)
  if (isInside(absolute, directory)) return relative(directory, absolute) || "."
  return temporary?.nameOf(absolute) ?? absolute
}

/** Runs a program for a target: at once where that is quick, with errors that name the path. */
export async function perform<Result>(target: Target, program: () => Program<Result>): Promise<Result> {
  try {
    return await withinTurnBudget(() => drive(program(), target.root.remote))
  } catch (error) {
    throw fileError(error, target.action, target.shown)
  }
}

const verbs: Readonly<Record<FileEffectKind, string>> = {
  "fs.read": "read",
  "fs.write": "write",
  "fs.delete": "remove",
}

/** Throws `denied` unless the grant of the call admits the effect on the resolved path. */
export function judge(call: CallScope, kind: FileEffectKind, { path, target }: { path: string; target: Target }): void {
  if (call.grant.admits(kind, path)) return
  throw new ToolError("denied", `Cannot ${target.action} "${target.shown}": this call may not ${verbs[kind]} it`, {
    details: { kind, path },
  })
}

/** Throws `cancelled` when the caller has given up. */
export function assertActive(
  call: Pick<CallScope, "signal" | "aborted">,
  target: Pick<Target, "action" | "shown">,
): void {
  if (!isAborted(call)) return
  const message = `Cannot ${target.action} "${target.shown}": the call was cancelled`
  throw new ToolError("cancelled", message, { cause: call.signal.reason })
}

/** Calls back when the caller gives up, at once when that has happened; gives what ends the listening. */
export function whenAborted(call: Pick<CallScope, "signal" | "onAbort">, listener: () => void): () => void {
  if (call.onAbort) return call.onAbort(listener)
  const { signal } = call
  if (signal.aborted) listener()
  else signal.addEventListener("abort", listener, { once: true })
  return () => signal.removeEventListener("abort", listener)
}

/** Whether the caller has given up; makes no signal only to ask it. */
export function isAborted(call: Pick<CallScope, "signal" | "aborted">): boolean {
  return call.aborted ?? call.signal.aborted
}

/** Files whose index is kept at a time. */
const maxFiles = 64
/** How many bytes at the beginning and before the last mark tell whether a file was only appended to. */
const sampleBytes = 1024

/** Reads bytes of the file that an index is wanted for. */
type ReadBytes = (offset: number, length: number) => Promise<Buffer>

/** The line indexes of a session. */
interface LineIndexCache {
  /** The index for this very state of a file; of a file that was only appended to, the old one. */
  find(identity: FileIdentity, unit: NewlineUnit, read: ReadBytes): Promise<LineIndex>
  /** Takes the samples by which an appended file is recognised later. */
  sample(identity: FileIdentity, index: LineIndex, read: ReadBytes): Promise<void>
}

interface Entry {
  readonly identity: FileIdentity
  readonly index: LineIndex
  readonly samples?: Samples
}

interface Samples {
  readonly head: Buffer
  readonly tail: Buffer
  readonly tailOffset: number
}

/** An empty cache; the least recently used files leave it first. */
function createLineIndexCache(): LineIndexCache {
  const entries = new Map<string, Entry>()
  return { find, sample }

  async function find(identity: FileIdentity, unit: NewlineUnit, read: ReadBytes): Promise<LineIndex> {
    const key = keyOf(identity, unit)
    const known = entries.get(key)
    const usable = known && (sameIdentity(known.identity, identity) || (await wasAppended(known, identity, read)))
    const index = usable ? known.index : createLineIndex(identity.size, unit)
    keep(key, usable ? { ...known, identity } : { identity, index })
    return index
  }

  async function sample(identity: FileIdentity, index: LineIndex, read: ReadBytes): Promise<void> {
    const key = keyOf(identity, index.unit)
    const known = entries.get(key)
    const { offset } = index.last()
    const tailOffset = Math.max(0, offset - sampleBytes)
    if (known?.index !== index || offset === 0 || known.samples?.tailOffset === tailOffset) return
    const samples = {
      head: await read(0, sampleBytes),
      tail: await read(tailOffset, offset - tailOffset),
      tailOffset,
    }
    if (entries.get(key)?.index === index) keep(key, { identity, index, samples })
  }

  function keep(key: string, entry: Entry): void {
    entries.delete(key)
    entries.set(key, entry)
    if (entries.size > maxFiles) entries.delete(entries.keys().next().value!)
  }
}

async function wasAppended({ identity: old, samples }: Entry, now: FileIdentity, read: ReadBytes): Promise<boolean> {
  if (!samples || now.size < old.size) return false
  const head = await read(0, samples.head.length)
  const tail = await read(samples.tailOffset, samples.tail.length)
  return head.equals(samples.head) && tail.equals(samples.tail)
}

function keyOf({ device, inode }: FileIdentity, unit: NewlineUnit): string {
  return `${device}:${inode}:${unit}`
}
