import { relative, resolve, sep } from "node:path"
import { type CallScope, type FileEffectKind, isInside, ToolError } from "@haft/contract"
import { Ledger } from "./ledger.js"
import { LineIndexCache } from "./lines/line-index.js"
import type { SessionTemporary } from "./session-folder.js"
import { fileError } from "./system/errno.js"
import { drive, type Program, withinTurnBudget } from "./system/program.js"
import { resolveLinks } from "./walk/resolve-links.js"
import type { QuickHold, RootSet, Target } from "./walk/walk.js"

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
    ledger: new Ledger(),
    lineIndexes: new LineIndexCache(),
    looked: new LookedFiles(),
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
  throw new ToolError("denied", `Cannot ${action} "${path}": it is outside the workspace; use a path inside it`)
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

/** The path as shown to people: relative to the working directory where it is inside it. */
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

/** Files held for the open that follows; more are simply looked up again. */
const maxHeld = 64

/** A file that is held, and the place below a root where it was found. */
export interface LookedFile {
  readonly hold: QuickHold
  readonly target: Target
}

/**
 * Files that were looked at in this turn of the event loop. A call is judged by where its path leads and then opens
 * it: what is held in between need not be looked up twice, and is the very file that was judged. Nothing is held longer
 * than the turn, so a file that was replaced while a person was asked is found anew.
 */
class LookedFiles {
  private readonly held = new Map<string, LookedFile>()
  private turnEndScheduled = false

  /** Takes over the hold on what a path was found to mean: it is closed at the end of the turn, unless it is taken before. */
  keep(spelled: string, hold: QuickHold, target: Target): void {
    // Of two looks in one turn the later one counts.
    this.take(spelled)?.hold.close()
    if (this.held.size >= maxHeld || !hold.facts.isFile()) {
      hold.close()
      return
    }
    this.held.set(spelled, { hold, target })
    if (this.turnEndScheduled) return
    this.turnEndScheduled = true
    setImmediate(() => {
      this.turnEndScheduled = false
      this.close()
    })
  }

  /** Gives away what the same spelling was found to mean in this turn, and the duty to close it. */
  take(spelled: string): LookedFile | undefined {
    if (this.held.size === 0) return undefined
    const looked = this.held.get(spelled)
    if (looked) this.held.delete(spelled)
    return looked
  }

  close(): void {
    for (const { hold } of this.held.values()) hold.close()
    this.held.clear()
  }
}
