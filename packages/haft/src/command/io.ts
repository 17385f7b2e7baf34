import { fstatSync, openSync, readFileSync, writeSync } from "node:fs"
import type { SocketConstructorOpts } from "node:net"
import { ReadStream } from "node:tty"
import { bestEffort, ToolError } from "@haft/contract"
import type { Environment } from "../config/places.js"
import { exitCodes } from "./exit-code.js"

/** A stream that people or programs read. */
export interface Output extends NodeJS.WritableStream {
  readonly isTTY?: boolean
  readonly columns?: number
  readonly rows?: number
}

/** The outside of one run of the command line. */
export interface Io {
  readonly stdin: NodeJS.ReadableStream & { readonly isTTY?: boolean }
  readonly stdout: Output
  readonly stderr: Output
  /** Opens the keyboard of the person where standard input is something else; undefined where nobody sits at one. */
  openKeyboard?(): (() => NodeJS.ReadableStream) | undefined
  /** What tells this terminal from every other one, also from a later one of the same device; undefined without one. */
  terminal?(): string | undefined
  readonly env: Environment
  readonly cwd: string
  /** Aborts what runs, as Ctrl-C does. */
  readonly signal?: AbortSignal
  /** Does what Ctrl-C does, for prompts that read single keys. */
  readonly interrupt?: () => void
  /** Replaces what happens when nobody reads what is written any more; by default the process ends at once. */
  onUnread?(handler: (output: "stdout" | "stderr") => void): void
  /** The administrator's file; no environment variable moves it, because that would be a way around it. */
  readonly managedFile?: string
}

/** The administrator's configuration. */
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
  let unread = (_output: "stdout" | "stderr"): void => process.exit(process.exitCode ?? 0)
  let isLeaving = false
  const errorOf = (output: "stdout" | "stderr") => (error: NodeJS.ErrnoException) => {
    // Nobody can read any more: the terminal is gone.
    if (error.code === "EIO") process.exit(129)
    if (error.code === "EPIPE") unread(output)
    else if (!isLeaving) {
      isLeaving = true
      void leaveUnwritten(error)
    }
  }
  const stdout = outputOf(1, () => process.stdout, errorOf("stdout"))
  const stderr = outputOf(2, () => process.stderr, errorOf("stderr"))
  return {
    // Opened only when something reads it: opening a terminal costs time, and keeps the process alive.
    get stdin() {
      return process.stdin
    },
    openKeyboard,
    terminal: terminalOfProcess,
    stdout,
    stderr,
    env: process.env,
    // Asked for only where it matters: help is there in a folder that was removed, too.
    get cwd() {
      return currentDirectory()
    },
    signal: abort.signal,
    interrupt: () => abort.abort(),
    onUnread(handler) {
      unread = handler
    },
  }
}

function currentDirectory(): string {
  try {
    return process.cwd()
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error
    throw new ToolError("invalid_args", "Cannot run here: the current directory was removed", {
      hint: "Go to another folder; if this one was made again, go into it once more: cd .",
    })
  }
}

/** Ends the process because what it says cannot be written: the disk behind a redirection is full, for instance. */
async function leaveUnwritten({ code, message }: NodeJS.ErrnoException): Promise<void> {
  const [{ sayIn }, { languageBefore }] = await Promise.all([
    import("@haft/language"),
    import("../language/language-of.js"),
  ])
  const say = await sayIn(languageBefore(process.argv.slice(2), process.env))
  const reason = code === "ENOSPC" ? say`no space is left` : (code ?? message)
  bestEffort("standard error may be what cannot be written", () =>
    writeSync(2, `${say`error:`} ${say`Cannot write the output: ${reason}`}\n`),
  )
  process.exit(exitCodes.toolError)
}

// As much as a pipe holds that nobody reads yet: more would block, and a process that blocks hears no Ctrl-C.
const mostDirectBytes = 16 * 1024

/**
 * A stream of this process. To open it, Node loads its sockets, which takes longer than the answer of a short command: a pipe or
 * a file gets the first words without it (bench: command-start).
 */
function outputOf(
  descriptor: 1 | 2,
  open: () => NodeJS.WriteStream,
  onError: (error: NodeJS.ErrnoException) => void,
): Output {
  let opened: NodeJS.WriteStream | undefined
  let directBytes = 0
  const stream = () => {
    opened ??= open().on("error", onError)
    return opened
  }
  if (!isPipeOrFile(descriptor)) return stream()
  const write = (...words: [string]): boolean => {
    // Whoever says more than a text, such as what to do afterwards, wants the stream; and what it holds goes first.
    if (opened || words.length > 1 || typeof words[0] !== "string") return stream().write(...words)
    const bytes = Buffer.from(words[0])
    directBytes += bytes.length
    const written = directBytes > mostDirectBytes ? 0 : writeNow(descriptor, bytes, onError)
    return written === bytes.length || stream().write(bytes.subarray(written))
  }
  return new Proxy({} as Output, {
    get(_target, name) {
      if (name === "write") return write
      if (!opened && (name === "isTTY" || name === "columns")) return undefined
      const value: unknown = Reflect.get(stream(), name)
      return typeof value === "function" ? value.bind(stream()) : value
    },
  })
}

function isPipeOrFile(descriptor: number): boolean {
  return (
    bestEffort("a closed one is opened as usual", () => {
      const found = fstatSync(descriptor)
      return found.isFIFO() || found.isFile() || found.isSocket()
    }) === true
  )
}

/** How many bytes were taken: fewer than there are where the reader of a pipe that does not block is slow. */
function writeNow(descriptor: number, bytes: Uint8Array, onError: (error: NodeJS.ErrnoException) => void): number {
  try {
    return writeSync(descriptor, bytes)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EAGAIN") return 0
    onError(error as NodeJS.ErrnoException)
    return bytes.length
  }
}

/** The device of the terminal and the start of its session's leader, from proc(5) stat; other systems do not tell. */
function terminalOfProcess(): string | undefined {
  const statOf = (process: string) => {
    const text = readFileSync(`/proc/${process}/stat`, "utf8")
    // The name in brackets may hold anything, so counting starts behind it.
    return text.slice(text.lastIndexOf(")") + 2).split(" ")
  }
  return bestEffort("without /proc or a living leader every call has a session of its own", () => {
    const [, , , leader, device] = statOf("self")
    if (leader === undefined || device === undefined || device === "0") return undefined
    const boot = readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim()
    return [boot, device, leader, statOf(leader)[19]].join(" ")
  })
}

/**
 * The terminal of this process, for `echo text | haft call write content=- ...`: what comes through the pipe is data and
 * answers nothing. Input that is closed, or /dev/null, is how scripts say that nobody is there.
 */
function openKeyboard(): (() => ReadStream) | undefined {
  try {
    const input = fstatSync(0)
    if (!input.isFIFO() && !input.isSocket() && !input.isFile()) return undefined
    const descriptor = openSync("/dev/tty", "r")
    let stream: ReadStream | undefined
    return () => {
      stream ??= keyboardStream(descriptor)
      return stream
    }
  } catch {
    return undefined
  }
}

/** With a callback a stream that pauses really stops; another takes one more key away from an editor or the shell. */
function keyboardStream(descriptor: number): ReadStream {
  const stream: ReadStream = new ReadStream(descriptor, {
    onread: {
      buffer: Buffer.alloc(4096),
      callback: (count: number, buffer: Uint8Array) => stream.emit("data", Buffer.from(buffer.subarray(0, count))),
    },
  } as SocketConstructorOpts)
  return stream
}
