import type { ReplRequest } from "@haft/contract"
import { javascriptDriver } from "./javascript.js"
import { pythonDriver } from "./python.js"
import { shellDriver } from "./shell.js"

export { channelDescriptor } from "./channel.js"

/** How the interpreter of a language is started. */
export interface Driver {
  /** Programs that can do it, the best first. */
  readonly programs: readonly string[]
  readonly arguments: readonly string[]
  /** Its own exit code means something: ending the interpreter is an ordinary way to end a piece. */
  readonly exitCounts: boolean
  /** How long a piece that was interrupted may take to stop before its interpreter is ended. */
  readonly graceMs: number
}

/** One interpreter a language. */
export const drivers: Readonly<Record<ReplRequest["language"], Driver>> = {
  python: { programs: ["python3", "python"], arguments: ["-u", "-c", pythonDriver], exitCounts: false, graceMs: 3_000 },
  javascript: { programs: ["node"], arguments: ["-e", javascriptDriver], exitCounts: false, graceMs: 3_000 },
  // A loop of a shell goes on after an interrupt, whatever the time.
  shell: {
    programs: ["bash"],
    arguments: ["--noprofile", "--norc", "-c", shellDriver],
    exitCounts: true,
    graceMs: 500,
  },
}
