import { type ChildProcessByStdio, spawn } from "node:child_process"
import { existsSync, readFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { getDefaultHighWaterMark, type Readable, setDefaultHighWaterMark } from "node:stream"
import { bestEffort, ToolError } from "@haft/contract"

/**
 * The flags of every run. Values are always joined to their flag with "=", so that no pattern or name of a file can
 * become a flag of its own.
 *
 * Hidden files are searched, because projects keep much in them (.github, .env.example); the folders of version control
 * are not, unless the search begins inside one.
 */
export const fixedArguments: readonly string[] = [
  "--no-config",
  "--color=never",
  "--path-separator=/",
  "--no-follow",
  "--no-ignore-global",
  "--no-ignore-messages",
  "--hidden",
  ...[".git", ".hg", ".svn", ".jj"].map((folder) => `--glob=!${folder}`),
]

/** Which engine reads the pattern: the linear one, or PCRE2 for what only backtracking can do. */
export type Engine = "default" | "pcre2"

/** The flags of a search in contents. */
export function grepArguments(request: {
  readonly engine: Engine
  readonly pattern: string
  readonly ignoreCase: boolean
  readonly contextLines: number
  readonly maxMatches: number
  readonly maxMatchesPerFile?: number
  readonly multiline?: boolean
}): string[] {
  return [
    `--engine=${request.engine}`,
    "--no-pre",
    "--no-search-zip",
    // A mapped file that shrinks while it is searched would kill ripgrep.
    "--no-mmap",
    "--heading",
    "--with-filename",
    "--null",
    "--line-number",
    // Long lines come whole and are cut by the reader: ripgrep would show their beginning, wherever the match is.
    "--column",
    "--crlf",
    // One more than is kept, so that "there is more" is known.
    `--max-count=${Math.min(request.maxMatches + 1, request.maxMatchesPerFile ?? Number.POSITIVE_INFINITY)}`,
    ...(request.multiline ? ["--multiline", "--multiline-dotall"] : []),
    "--regex-size-limit=10M",
    "--dfa-size-limit=64M",
    `--context=${request.contextLines}`,
    request.ignoreCase ? "--ignore-case" : "--case-sensitive",
    `--regexp=${request.pattern}`,
  ]
}

/** The flags of a list of files. */
export const listArguments: readonly string[] = ["--files", "--null"]

/** Leaves out folders of these names at any depth; what the search begins in is never left out. */
export function skipArguments(folders: readonly string[] = []): string[] {
  return folders.map((folder) => `--glob=!${folder.replace(/[\\*?[\]{}!]/g, "\\$&")}/`)
}

/** Limits a run to what a glob may match, a little more included; unlike `--glob` this leaves ignore files in force. */
export function nameArguments(
  pattern: { readonly names: readonly string[] | undefined; readonly maxDepth: number | undefined } | undefined,
): string[] {
  const { names, maxDepth } = pattern ?? {}
  return [
    ...(names === undefined ? [] : [...names.map((name) => `--type-add=haft:${name}`), "--type=haft"]),
    ...(maxDepth === undefined ? [] : [`--max-depth=${maxDepth}`]),
  ]
}

/**
 * Which ignore files count. Inside a git repository: those from its top downwards, which is ripgrep's own rule.
 * Elsewhere .gitignore counts too, but nothing above the working directory does: ripgrep knows no boundary then, and a
 * "*" in the home folder would hide everything.
 */
export function ignoreArguments(base: string, workingDirectory: string): string[] {
  if (isInRepository(base)) return []
  const isBelow = base.startsWith(join(workingDirectory, "/")) && base !== workingDirectory
  return isBelow ? ["--no-require-git"] : ["--no-require-git", "--no-ignore-parent"]
}

function isInRepository(directory: string): boolean {
  for (let current = directory; ; current = dirname(current)) {
    if (existsSync(join(current, ".git"))) return true
    if (dirname(current) === current) return false
  }
}

/** The path of the ripgrep program that came with this package. */
export async function locateRipgrep(): Promise<string> {
  try {
    // Loaded late: the package looks for its binary on import and throws when the platform has none.
    const { rgPath } = await import("@vscode/ripgrep")
    if (existsSync(rgPath)) return rgPath
    throw new Error(`"${rgPath}" does not exist`)
  } catch (cause) {
    throw ripgrepMissing(cause)
  }
}

/** Says that ripgrep is not there and how to get it. */
function ripgrepMissing(cause: unknown): ToolError {
  const platform = `${process.platform}-${process.arch}`
  return new ToolError("not_configured", `Cannot search: ripgrep for "${platform}" is not installed`, {
    fix: `Install it with: npm install @vscode/ripgrep-${platform} (and do not pass --omit=optional)`,
    cause,
  })
}

/** A ripgrep process whose output and complaints can be read. */
export type RipgrepProcess = ChildProcessByStdio<null, Readable, Readable>

/** Starts ripgrep; its output is taken from the pipe only when somebody reads, never ahead. */
export function spawnRipgrep(run: {
  readonly program: string
  readonly arguments: readonly string[]
  readonly cwd: string
  readonly descriptors?: readonly number[]
}): RipgrepProcess {
  const highWaterMark = getDefaultHighWaterMark(false)
  // A stream of a child cannot be given its own mark. With this one it takes what the pipe has and then waits for a reader;
  // otherwise every single hit of a parallel search wakes this process, which costs ripgrep a tenth of its time.
  setDefaultHighWaterMark(false, 1)
  try {
    return spawn(run.program, run.arguments, {
      cwd: run.cwd,
      // Nothing of the environment reaches ripgrep, in particular no RIPGREP_CONFIG_PATH; Windows programs need its root.
      env: process.env.SystemRoot === undefined ? {} : { SystemRoot: process.env.SystemRoot },
      stdio: ["ignore", "pipe", "pipe", ...(run.descriptors ?? [])],
      windowsHide: true,
    }) as RipgrepProcess
  } catch (error) {
    throw spawnFailure(error, run.program)
  } finally {
    setDefaultHighWaterMark(false, highWaterMark)
  }
}

/** The error of a program that did not start, in words; other errors as they are. */
export function spawnFailure(error: unknown, program: string): unknown {
  if (!(error instanceof Error) || !("syscall" in error)) return error
  if (!existsSync(program)) return ripgrepMissing(error)
  return new ToolError("backend", `Cannot search: ripgrep did not start, ${error.message}`, { cause: error })
}

/** How much is too much, and what to do then. */
export interface MemoryLimit {
  readonly maxBytes: number
  stop(): void
}

/** Watches the memory of one process until it is cleared. */
export interface LimitedMemory {
  readonly exceeded: boolean
  clear(): void
}

/**
 * Calls `stop` when a process grows beyond its memory limit. ripgrep holds each line as a whole, so a file of gigabytes
 * without a line break would otherwise fill the memory. Works where the system shows the memory of processes as files.
 */
export function limitMemory(pid: number | undefined, { maxBytes, stop }: MemoryLimit): LimitedMemory {
  let exceeded = false
  const timer = setInterval(() => {
    if (residentBytes(pid) <= maxBytes) return
    exceeded = true
    stop()
  }, intervalMs)
  return {
    get exceeded() {
      return exceeded
    },
    clear: () => clearInterval(timer),
  }
}

const intervalMs = 100

function residentBytes(pid: number | undefined): number {
  const status = bestEffort("it has ended, or the system does not tell", () =>
    readFileSync(`/proc/${pid}/status`, "latin1"),
  )
  return Number(/^VmRSS:\s+(\d+) kB/m.exec(status ?? "")?.[1] ?? 0) * 1024
}
