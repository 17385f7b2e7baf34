import { readFile, stat } from "node:fs/promises"
import { basename, resolve } from "node:path"
import { addAbortSignal, type Readable } from "node:stream"
import { ToolError } from "@haft/contract"
import type { Agent } from "../library/agent.js"
import type { Invocation } from "./invocation.js"
import type { Io } from "./io.js"
import { note } from "./print.js"

/** A message with its files, as an agent takes it. */
export type Prompt = Exclude<Parameters<Agent["send"]>[0], string>
type PromptFile = NonNullable<Prompt["files"]>[number]

// More than any provider takes in one request.
const maxFileBytes = 20 * 1024 * 1024
// Somebody may wait for us while we wait for them.
const patienceMs = 1000

/** The prompt of a command line: its words, what comes through a pipe, and the named files. `-` is the pipe alone. */
export async function promptInput(invocation: Invocation, io: Io): Promise<Prompt> {
  const words = invocation.operands.join(" ")
  const isInput = words === "-" || !io.stdin.isTTY
  const piped = isInput ? (await readInput(invocation, io)).trimEnd() : ""
  const said = words === "-" ? [piped] : [words, piped]
  const { texts, files } = await promptFiles(invocation, io)
  const text = [...said, ...texts].filter((part) => part.trim() !== "").join("\n\n")
  if (text === "" && files.length === 0) {
    throw new ToolError("invalid_args", 'Cannot run "haft run": it needs PROMPT', {
      hint: "Say what should be done, or give it through a pipe",
    })
  }
  return { text, ...(files.length > 0 && { files }) }
}

/** Texts go into the prompt itself, which every model reads; images and PDFs go beside it. */
export async function promptFiles(
  invocation: Invocation,
  io: Io,
): Promise<{ readonly texts: readonly string[]; readonly files: readonly PromptFile[] }> {
  const texts: string[] = []
  const files: PromptFile[] = []
  for (const path of invocation.list("file")) {
    const bytes = await readPromptFile(path, io)
    const { loadSniffMedia } = await import("@haft/tools")
    const mediaType = (await loadSniffMedia())(bytes)
    if (mediaType !== undefined) files.push({ name: basename(path), mediaType, data: bytes.toString("base64") })
    else texts.push(`File ${path}:\n\n${textOf(bytes, path)}`)
  }
  return { texts, files }
}

async function readPromptFile(path: string, io: Io): Promise<Buffer> {
  const file = resolve(io.cwd, path)
  try {
    const found = await stat(file)
    if (!found.isFile()) throw cannotSend(path, "it is no file", oneByOne)
    if (found.size > maxFileBytes) throw cannotSend(path, `it has more than ${maxFileBytes} bytes`, less)
    return await readFile(file)
  } catch (error) {
    if (ToolError.is(error)) throw error
    const { code } = error as NodeJS.ErrnoException
    if (code === "ENOENT")
      throw cannotSend(path, "it does not exist", "Check the path: it starts in the current directory")
    throw cannotSend(path, `it cannot be read (${code})`, "Check who may read it, or leave it out")
  }
}

function textOf(bytes: Buffer, path: string): string {
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(bytes)
    if (!text.includes("\0")) return text
  } catch {
    // Said below for both.
  }
  throw cannotSend(path, "it is neither text nor an image or PDF", "Make a text of it first, in UTF-8, or leave it out")
}

const oneByOne = "Name each file of it that the model should see with a --file of its own"
const less = "Send a part of it, or name its path in the prompt, so that the model reads what it needs"

function cannotSend(path: string, reason: string, hint: string): ToolError {
  return new ToolError("invalid_args", `Cannot send "${path}": ${reason}`, { hint })
}

async function readInput(invocation: Invocation, io: Io): Promise<string> {
  const { stdin, signal } = io
  const waiting = setTimeout(
    () => note(invocation, io, "note: reading standard input; without any, say < /dev/null"),
    patienceMs,
  )
  const pieces: Uint8Array[] = []
  let size = 0
  try {
    if (signal) addAbortSignal(signal, stdin as Readable)
    for await (const piece of stdin) {
      pieces.push(typeof piece === "string" ? Buffer.from(piece) : piece)
      size += pieces.at(-1)!.length
      if (size > maxFileBytes) throw cannotSend("-", `it has more than ${maxFileBytes} bytes`, less)
    }
  } catch (error) {
    if (signal?.aborted) throw new ToolError("cancelled", "Cannot read the prompt: it was interrupted")
    throw error
  } finally {
    clearTimeout(waiting)
  }
  return textOf(Buffer.concat(pieces), "-")
}
