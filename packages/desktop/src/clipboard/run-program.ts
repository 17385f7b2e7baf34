import { type ChildProcess, spawn } from "node:child_process"
import { tmpdir } from "node:os"
import { bestEffort, ToolError } from "@haft/contract"
import { withoutStrangers } from "@haft/host"

/** The most bytes of text, in either direction. */
export const maxClipboardBytes = 5 * 1024 * 1024

/** Says that a text is longer than the clipboard carries here. */
export function tooLarge(action: "read" | "write to"): ToolError {
  return new ToolError("too_large", `Cannot ${action} the clipboard: the text is larger than 5 MB; use a file instead`)
}

/** A program that reads or writes the clipboard. */
export interface ClipboardRun {
  readonly file: string
  readonly args: readonly string[]
  /** Text for its standard input: then its output does not count, and it may stay behind to serve what it was given. */
  readonly input?: string
}

/** How it ended; undefined when it could not be started. */
export type ClipboardRunEnd =
  | { readonly exitCode: number | null; readonly stdout: Buffer; readonly stderr: string }
  | undefined

/** Runs a program of the clipboard to its end, within the time limit. */
export type RunClipboardProgram = (run: ClipboardRun) => Promise<ClipboardRunEnd>

/** Makes the function that runs programs of the clipboard until a signal ends them. */
export function clipboardRunner(options: {
  readonly environment: Readonly<Record<string, string | undefined>>
  readonly platform: NodeJS.Platform
  readonly timeLimitMs: number
}): (signal: AbortSignal | undefined) => RunClipboardProgram {
  const env = neededVariables(options.environment, options.platform)
  return (signal) => async (run) => {
    if (signal?.aborted) throw cancelled(run, signal)
    const child = spawn(run.file, run.args, {
      env,
      // A group of its own: all of it can be ended, and what serves the clipboard outlives a Ctrl-C in our terminal.
      detached: options.platform !== "win32",
      windowsHide: true,
      // What stays behind would hold a pipe open, and be killed by it when it complains later.
      stdio: withoutStrangers(run.input === undefined ? ["ignore", "pipe", "pipe"] : ["pipe", "ignore", "ignore"]),
    })
    return settled(child, run, { timeLimitMs: options.timeLimitMs, signal })
  }
}

function settled(
  child: ChildProcess,
  run: ClipboardRun,
  { timeLimitMs, signal }: { readonly timeLimitMs: number; readonly signal: AbortSignal | undefined },
) {
  return new Promise<ClipboardRunEnd>((resolve, reject) => {
    const stdout: Buffer[] = []
    let size = 0
    let stderr = ""
    const finish = (settle: () => void) => {
      clearTimeout(timer)
      signal?.removeEventListener("abort", onAbort)
      child.stdout?.destroy()
      child.stderr?.destroy()
      settle()
    }
    const giveUp = (error: ToolError) =>
      finish(() => {
        endGroup(child)
        reject(error)
      })
    const onAbort = () => giveUp(cancelled(run, signal!))
    const timer = setTimeout(() => giveUp(late(run, timeLimitMs)), timeLimitMs)
    signal?.addEventListener("abort", onAbort, { once: true })
    child.stdout?.on("data", (chunk: Buffer) => {
      size += chunk.length
      if (size > maxClipboardBytes) giveUp(tooLarge("read"))
      else stdout.push(chunk)
    })
    child.stderr?.on("data", (chunk: Buffer) => {
      stderr = (stderr + chunk.toString("utf8")).slice(0, maxComplaintLength)
    })
    // A program that does not read its input says so with its exit code.
    child.stdin?.on("error", () => undefined)
    child.stdin?.end(run.input)
    child.once("error", () => finish(() => resolve(undefined)))
    child.once(run.input === undefined ? "close" : "exit", (exitCode: number | null) =>
      finish(() => resolve({ exitCode, stdout: Buffer.concat(stdout), stderr })),
    )
  })
}

const maxComplaintLength = 4096

function endGroup(child: ChildProcess): void {
  const { pid } = child
  if (pid !== undefined && process.platform !== "win32") {
    // The program itself is ended below.
    bestEffort("the group may be gone, or not ours to end", () => process.kill(-pid, "SIGKILL"))
  }
  child.kill("SIGKILL")
}

function cancelled({ input }: ClipboardRun, { reason }: AbortSignal): ToolError {
  const action = input === undefined ? "read" : "write to"
  return new ToolError("cancelled", `Cannot ${action} the clipboard: the call was cancelled`, { cause: reason })
}

function late({ file, input }: ClipboardRun, timeLimitMs: number): ToolError {
  const action = input === undefined ? "read" : "write to"
  const name = file.replace(/^.*[/\\]/, "")
  return new ToolError(
    "timeout",
    `Cannot ${action} the clipboard: "${name}" did not answer within ${timeLimitMs / 1000} s; the program that owns the clipboard may hang`,
  )
}

// What stays behind keeps its environment for long, so secrets do not belong into it.
const neededNames = [
  ...["PATH", "HOME", "DISPLAY", "XAUTHORITY", "WAYLAND_DISPLAY", "XDG_RUNTIME_DIR", "LANG", "LC_ALL"],
  ...["SystemRoot", "SYSTEMROOT", "windir", "USERPROFILE", "TEMP", "TMP", "PSModulePath"],
]

function neededVariables(environment: ClipboardEnvironment, platform: NodeJS.Platform): Record<string, string> {
  const needed = Object.fromEntries(
    neededNames.flatMap((name) => (environment[name] === undefined ? [] : [[name, environment[name]]])),
  )
  if (platform === "win32") return needed
  // xsel does not run without a home folder, and pbpaste takes the encoding from here.
  return { HOME: tmpdir(), ...needed, ...(platform === "darwin" && { LC_CTYPE: "UTF-8" }) }
}

type ClipboardEnvironment = Readonly<Record<string, string | undefined>>
