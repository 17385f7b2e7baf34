import type { ChildProcess } from "node:child_process"
import type { Writable } from "node:stream"

/**
 * Text for a shell that goes on when it was told that it is in its control groups. Without it a command that starts
 * processes at once could have started more than it may have before anything counts them. With the end of Haft the
 * connection ends, and nothing is run. The name is none that a command could have a variable of.
 */
export function waitUntilAdmitted(descriptor: number): string {
  return `read -r haft_admitted <&${descriptor} || exit 125`
}

/** Lets such a shell go on. */
export function tellAdmitted(child: ChildProcess, descriptor: number): void {
  // Whoever has ended meanwhile is told nothing: the stream is closed then, and its reader knows.
  ;(child.stdio[descriptor as 3] as unknown as Writable).write("\n")
}
