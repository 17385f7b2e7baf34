import { spawn } from "node:child_process"
import { createInterface } from "node:readline"
import { bestEffort, ToolError } from "@haft/contract"
import { packageOf } from "../refusal.js"

/** How a program of the build is run. */
export interface ProgramOptions {
  readonly directory?: string
  readonly environment?: Readonly<Record<string, string>>
  readonly signal?: AbortSignal
  /** Called with each line as it comes. */
  readonly onLine?: (line: string) => void
}

// Enough of the end to see what went wrong.
const keptCharacters = 4000

/** Runs a program to its end and returns its standard output; anything but success is an error with its last words. */
export function runProgram(argv: readonly string[], options: ProgramOptions = {}): Promise<string> {
  const [program, ...rest] = argv
  return new Promise((resolve, reject) => {
    const child = spawn(program!, rest, {
      stdio: ["ignore", "pipe", "pipe"],
      env: {
        PATH: "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
        LANG: "C.UTF-8",
        ...options.environment,
      },
      ...(options.directory !== undefined && { cwd: options.directory }),
      // A group of its own, so that the programs which it starts can be ended with it.
      detached: true,
    })
    const abort = (): void => endGroup(child.pid)
    if (options.signal?.aborted) abort()
    else options.signal?.addEventListener("abort", abort, { once: true })
    let output = ""
    let words = ""
    child.stdout.on("data", (piece: Buffer) => {
      output += piece.toString("utf8")
    })
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      words = (words + text).slice(-keptCharacters)
    })
    // Lines, and not pieces: a piece may end in the middle of one.
    if (options.onLine) {
      createInterface({ input: child.stderr, crlfDelay: Number.POSITIVE_INFINITY }).on("line", (line) => {
        if (line.trim()) options.onLine?.(line.trim())
      })
    }
    child.on("error", (error: NodeJS.ErrnoException) => reject(notRun(program!, error)))
    // Also after an abort: until the last of them is gone, they write what the caller wants to remove.
    child.on("close", (code) => {
      options.signal?.removeEventListener("abort", abort)
      if (options.signal?.aborted) reject(new ToolError("cancelled", `Cannot run "${program}": it was cancelled`))
      else if (code === 0) resolve(output)
      else reject(new ToolError("backend", `Cannot run "${program}": it failed with ${code}: ${lastLines(words)}`))
    })
  })
}

function endGroup(pid: number | undefined): void {
  if (pid !== undefined) bestEffort("it may have ended by itself", () => process.kill(-pid, "SIGTERM"))
}

function notRun(program: string, error: NodeJS.ErrnoException): ToolError {
  if (error.code !== "ENOENT") return new ToolError("backend", `Cannot run "${program}": ${error.message}`)
  return new ToolError("not_configured", `Cannot run "${program}": it is not installed`, {
    hint: `Install it, for instance with: apt-get install ${packageOf(program)}`,
    details: { program },
  })
}

function lastLines(words: string): string {
  return words.trim().split("\n").slice(-4).join(" | ")
}
