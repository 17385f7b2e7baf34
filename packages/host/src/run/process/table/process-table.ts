import type { ProcessIdentity } from "../../../lock/process-identity.js"

/** How the processes of one start can be recognised when their parents are gone. */
export interface TaggedTree {
  /** The process that was started; leader of its own session and group. */
  readonly root: number
  /** A variable that every process of the tree inherits, as `NAME=value`. */
  readonly variable: string
  /** When the tree was started, in milliseconds of the monotonic clock. */
  readonly sinceMs: number
}

/** What can be known about the processes of this machine. Dead processes that nobody has collected yet do not count. */
export interface ProcessTable {
  /** A process and all below it. */
  descendants(root: number): readonly ProcessIdentity[] | Promise<readonly ProcessIdentity[]>
  /** Processes that carry the tag, wherever they hang by now. */
  tagged(tag: TaggedTree): readonly ProcessIdentity[] | Promise<readonly ProcessIdentity[]>
  /** Whether this very process is still alive. */
  isAlive(process: ProcessIdentity): boolean
  /** Whether somebody stopped it, as ^Z does; undefined where that cannot be seen. */
  isStopped(pid: number): boolean | undefined
  /** The number of a process in its innermost namespace, and how many namespaces are between it and this one. */
  innerNumber(pid: number): { readonly pid: number; readonly depth: number } | undefined
  /** Whether this text is one of the arguments that a process was started with. */
  runs(pid: number, argument: string): boolean
}
