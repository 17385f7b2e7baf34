import { type Clipboard, ToolError } from "@haft/contract"
import type { ClipboardRoute } from "./route.js"
import { maxClipboardBytes, tooLarge } from "./run-program.js"

/** Where the clipboard of the system is looked for. */
export interface ClipboardOptions {
  /** Names the display and the folders of programs; of the rest nothing reaches the programs that are started. */
  readonly environment: Readonly<Record<string, string | undefined>>
  readonly platform?: NodeJS.Platform
  /** Folders that a model can write to: no program is taken from there. */
  readonly roots?: readonly string[]
  /** How long a program may take; 5 seconds by default. */
  readonly timeLimitMs?: number
}

/**
 * The clipboard of one session: that of the system where there is a display and a program that reaches it, otherwise a
 * buffer of the session's own. A way that once led nowhere is not tried again, so that a text which went into the buffer
 * is found there.
 */
export function createClipboard(options: ClipboardOptions): Clipboard {
  let buffer = ""
  let routes: Promise<ClipboardRoute[]> | undefined

  async function throughSystem<Answer>(ask: (route: ClipboardRoute) => Promise<Answer | undefined>) {
    routes ??= import("./find-routes.js").then(({ findRoutes }) => findRoutes(options))
    const open = await routes
    for (let route = open[0]; route !== undefined; route = open[0]) {
      const answer = await ask(route)
      if (answer !== undefined) return answer
      if (open[0] === route) open.shift()
    }
    return undefined
  }

  return {
    async read() {
      const text = await throughSystem((route) => route.read())
      if (text === undefined) return { text: buffer, source: "session" }
      if (text.includes("\0")) {
        throw new ToolError(
          "unsupported",
          "Cannot read the clipboard: its content is not text, it holds NUL characters",
        )
      }
      return { text, source: "system" }
    },
    async write(text) {
      checkText(text)
      const done = await throughSystem((route) => route.write(text))
      if (done === undefined) buffer = text
      return { source: done === undefined ? "session" : "system" }
    },
  }
}

/** How many ways lead to the clipboard of this system. Without one, each session has a buffer of its own. */
export async function clipboardRouteCount(options: ClipboardOptions): Promise<number> {
  const { findRoutes } = await import("./find-routes.js")
  return (await findRoutes(options)).length
}

/** Refuses what no clipboard would give back as it was written. */
function checkText(text: string): void {
  if (Buffer.byteLength(text) > maxClipboardBytes) throw tooLarge("write to")
  if (text.includes("\0")) throw refusal("it holds a NUL character, where many programs would cut it; leave that out")
  if (/\p{Surrogate}/u.test(text)) throw refusal("it holds half of a character, which UTF-8 cannot say")
}

function refusal(reason: string): ToolError {
  return new ToolError("invalid_args", `Cannot write the text to the clipboard: ${reason}`)
}
