import type { Invocation } from "./invocation.js"
import type { Io } from "./io.js"

/** Does the work of a command; the result is the exit code. */
export type Run = (invocation: Invocation, io: Io) => Promise<number>

/** One command. Help, completion and the checks of arguments are made from this. */
export interface Command {
  readonly name: string
  readonly about: string
  /** The operands in help, for instance `TOOL [key=value ...]`. */
  readonly operands?: string
  /** Fewest and most operands. */
  readonly count?: readonly [number, number]
  /** What completion offers for the first operand. */
  readonly completes?: "tool" | "command" | "setting" | "file" | "sessions" | "skills" | readonly string[]
  /** Options besides those that every command takes. */
  readonly options?: readonly string[]
  readonly examples?: readonly string[]
  /** Commands below this one; with `load` it also does something by itself. */
  readonly commands?: readonly Command[]
  /** Loads the work; so `haft tools` never pays for the journal. */
  readonly load?: () => Promise<{ readonly run: Run }>
}
