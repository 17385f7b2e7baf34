import { closeSync } from "node:fs"
import { createRequire } from "node:module"
import { ReadStream } from "node:tty"
import { ToolError } from "@haft/contract"
import { withhold } from "../process/withheld-descriptors.js"

/** A terminal of its own for a job: one end here, the other lent to the program. */
export interface Terminal {
  /** Output of the program; input is written to it. */
  readonly stream: ReadStream
  /** The descriptor that the program gets as standard input, output and error. */
  readonly descriptor: number
  /** To be called once the program has it: the last end that closes then tells of the end. */
  handedOver(): void
  close(): void
}

interface Binding {
  open(columns: number, rows: number): { readonly master: number; readonly slave: number }
}

const columns = 120
const rows = 40

/** Opens a terminal; `not_configured` where the machine has no support for one. */
export function openTerminal(): Terminal {
  const { master, slave } = loadBinding().open(columns, rows)
  for (const end of [master, slave]) withhold(end)
  const stream = new ReadStream(master)
  // The kernel reports an error instead of an end when the last program has closed its side.
  stream.on("error", () => undefined)
  let lent = true
  const handedOver = () => {
    if (lent) closeSync(slave)
    lent = false
  }
  return {
    stream,
    descriptor: slave,
    handedOver,
    close() {
      handedOver()
      stream.destroy()
    },
  }
}

/**
 * The package's own `spawn` cannot pass on the descriptors that a wall needs, so only its opening of a terminal is used;
 * that part is not among its typed exports.
 */
function loadBinding(): Binding {
  try {
    const { requireBinary } = createRequire(import.meta.url)("@lydell/node-pty/requireBinary.js") as {
      requireBinary(file: string): Binding
    }
    return requireBinary("pty.node")
  } catch (cause) {
    throw new ToolError(
      "not_configured",
      "Cannot open a terminal: its native part is not installed for this platform",
      {
        cause,
        hint: "Start the job without a terminal",
        fix: "Install with optional packages",
      },
    )
  }
}
