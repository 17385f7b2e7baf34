import { type Clipboard, ToolError } from "@haft/contract"
import { findRoutes } from "./find-routes.js"
import type { ClipboardRoute } from "./route.js"
import { clipboardRunner, maxClipboardBytes, type RunClipboardProgram, tooLarge } from "./run-program.js"

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

/** The clipboard of one session; a signal ends the programs that reach it. */
export interface SessionClipboard {
  read(signal?: AbortSignal): ReturnType<Clipboard["read"]>
  write(text: string, signal?: AbortSignal): ReturnType<Clipboard["write"]>
}

/**
 * The clipboard of one session: that of the system where there is a display and a program that reaches it, otherwise a
 * buffer of the session's own. A way that once led nowhere is not tried again, so that a text which went into the buffer
 * is found there.
 */
export function createClipboard(options: ClipboardOptions): SessionClipboard {
  const { environment, platform = process.platform, timeLimitMs = 5_000 } = options
  const runner = clipboardRunner({ environment, platform, timeLimitMs })
  const { routes, missing } = findRoutes(options)
  const open = [...routes]
  const reasons = [...missing]
  let buffer = ""

  async function throughSystem<Answer>(
    signal: AbortSignal | undefined,
    ask: (route: ClipboardRoute, run: RunClipboardProgram) => Promise<Answer | undefined>,
  ) {
    const run = runner(signal)
    for (let route = open[0]; route !== undefined; route = open[0]) {
      const answer = await ask(route, run)
      if (answer !== undefined) return answer
      if (open[0] !== route) continue
      open.shift()
      reasons.push("the display does not answer")
    }
    return undefined
  }
  const own = () => ({ source: "session", reason: [...new Set(reasons)].join("; ") }) as const

  return {
    async read(signal) {
      const text = await throughSystem(signal, (route, run) => route.read(run))
      if (text === undefined) return { text: buffer, ...own() }
      if (text.includes("\0")) {
        throw new ToolError(
          "unsupported",
          "Cannot read the clipboard: its content is not text, it holds NUL characters",
        )
      }
      return { text, source: "system" }
    },
    async write(text, signal) {
      checkText(text)
      const done = await throughSystem(signal, (route, run) => route.write(text, run))
      if (done) return { source: "system" }
      buffer = text
      return own()
    },
  }
}

/** Why a session here would have a clipboard of its own; undefined when that of the system can be reached. */
export function clipboardProblem(options: ClipboardOptions): string | undefined {
  const { routes, missing } = findRoutes(options)
  return routes.length > 0 ? undefined : missing.join("; ")
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
