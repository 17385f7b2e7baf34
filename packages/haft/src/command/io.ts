import type { Environment } from "../config/places.js"

/** A stream that people or programs read. */
export interface Output extends NodeJS.WritableStream {
  readonly isTTY?: boolean
  readonly columns?: number
}

/** The outside of one run of the command line. */
export interface Io {
  readonly stdin: NodeJS.ReadableStream & { readonly isTTY?: boolean }
  readonly stdout: Output
  readonly stderr: Output
  readonly env: Environment
  readonly cwd: string
  /** Aborts what runs, as Ctrl-C does. */
  readonly signal?: AbortSignal
  /** Does what Ctrl-C does, for prompts that read single keys. */
  readonly interrupt?: () => void
  /** The administrator's file; no environment variable moves it, because that would be a way around it. */
  readonly managedFile?: string
}

/** Where the administrator's configuration stands. */
export const managedFile = "/etc/haft/managed.jsonc"

/** The real process. Ctrl-C aborts once and quits at the second time; a reader that went away is no failure. */
export function processIo(): Io {
  const abort = new AbortController()
  process.on("SIGINT", () => {
    if (abort.signal.aborted) process.exit(130)
    abort.abort()
  })
  process.on("SIGTERM", () => {
    if (abort.signal.aborted) process.exit(143)
    abort.abort()
  })
  for (const stream of [process.stdout, process.stderr]) {
    stream.on("error", (error: NodeJS.ErrnoException) => {
      if (error.code === "EPIPE") process.exit(process.exitCode ?? 0)
      throw error
    })
  }
  const { stdout, stderr, env } = process
  return {
    // Opened only when something reads it: opening a terminal costs time, and keeps the process alive.
    get stdin() {
      return process.stdin
    },
    stdout,
    stderr,
    env,
    cwd: process.cwd(),
    signal: abort.signal,
    interrupt: () => abort.abort(),
  }
}
