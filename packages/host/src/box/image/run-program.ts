import { spawn } from "node:child_process"
import { ToolError } from "@haft/contract"

/** How a program of the build is run. */
export interface ProgramOptions {
  readonly directory?: string
  readonly environment?: Readonly<Record<string, string>>
  readonly signal?: AbortSignal
  /** Told about each line while it comes. */
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
      ...(options.signal && { signal: options.signal }),
    })
    let output = ""
    let words = ""
    child.stdout.on("data", (piece: Buffer) => {
      output += piece.toString("utf8")
    })
    child.stderr.on("data", (piece: Buffer) => {
      const text = piece.toString("utf8")
      words = (words + text).slice(-keptCharacters)
      for (const line of text.split("\n")) if (line.trim()) options.onLine?.(line.trim())
    })
    child.on("error", (error: NodeJS.ErrnoException) => {
      if (error.name === "AbortError") reject(new ToolError("cancelled", `Cannot run "${program}": it was cancelled`))
      else reject(notRun(program!, error))
    })
    child.on("close", (code) => {
      if (code === 0) resolve(output)
      else reject(new ToolError("backend", `Cannot run "${program}": it failed with ${code}: ${lastLines(words)}`))
    })
  })
}

function notRun(program: string, error: NodeJS.ErrnoException): ToolError {
  if (error.code !== "ENOENT") return new ToolError("backend", `Cannot run "${program}": ${error.message}`)
  return new ToolError("not_configured", `Cannot run "${program}": it is not installed`, {
    hint: `Install it, for instance with: apt-get install ${packages[program] ?? program}`,
    details: { program },
  })
}

const packages: Readonly<Record<string, string>> = {
  mke2fs: "e2fsprogs",
  "dpkg-deb": "dpkg",
  "qemu-system-x86_64": "qemu-system-x86",
}

function lastLines(words: string): string {
  return words.trim().split("\n").slice(-4).join(" | ")
}
