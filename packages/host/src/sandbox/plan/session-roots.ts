import { closeSync, constants, fstatSync, lstatSync, openSync } from "node:fs"
import { ToolError } from "@haft/contract"
import { O_PATH } from "../../files/walk/linux/hold.js"

/** A directory that was opened when the session began. */
export interface OpenedRoot {
  /** Absolute, links followed at that time. */
  readonly path: string
  /** A path for system calls about the directory itself, whatever is at its path now. */
  readonly self: string
}

/** A tree that sandboxes show: the directory that was there when the session began, and no other. */
export interface HeldTree {
  readonly path: string
  /** Undefined where the platform cannot hold a directory. */
  readonly descriptor: number | undefined
  /** Where to look at something in it. */
  at(path: string): string
  /** `conflict` when its path leads to another directory now: what is found by the path is not what would be shown. */
  assertInPlace(): void
  close(): void
}

/** Holds a tree until it is closed; by its path, or a directory that was opened before. */
export function holdTree({ path, self = path }: { readonly path: string; readonly self?: string }): HeldTree {
  const canHold = process.platform === "linux" && path !== "/"
  let isClosed = false
  const descriptor = canHold ? openSync(`${self}/.`, O_PATH | constants.O_DIRECTORY) : undefined
  const { dev, ino } = descriptor === undefined ? lstatSync(path) : fstatSync(descriptor)
  return {
    path,
    descriptor,
    // Ends in a dot: the descriptor itself is a link for whoever asks what it is.
    at: (below) => (descriptor === undefined ? below : `/proc/self/fd/${descriptor}/.${below.slice(path.length)}`),
    assertInPlace() {
      const facts = lstatSync(path, { throwIfNoEntry: false })
      if (facts?.isDirectory() && facts.dev === dev && facts.ino === ino) return
      throw new ToolError(
        "conflict",
        `Cannot run a command: the root "${path}" was replaced since the session was opened; open a new session`,
      )
    },
    close() {
      if (descriptor !== undefined && !isClosed) closeSync(descriptor)
      isClosed = true
    },
  }
}
