import { createReadStream } from "node:fs"
import { stat } from "node:fs/promises"
import type {
  LanguageModelV3,
  LanguageModelV3CallOptions,
  LanguageModelV3GenerateResult,
  LanguageModelV3StreamPart,
  LanguageModelV3StreamResult,
  SharedV3ProviderOptions,
} from "@ai-sdk/provider"
import { ToolError } from "@haft/contract"
import { ModelError, modelFailure } from "./model-error.js"
import { parseScript, type ScriptLine } from "./parse-script.js"
import { ReadyReply } from "./ready-reply.js"

// Enough for a thousand long replies; a larger file is probably not a script.
const maxScriptBytes = 32 * 1024 * 1024

/** Reads a script and checks all of it: a broken line is an error, with its line and column, before anything runs. */
export async function openScript(file: string): Promise<ScriptModel> {
  const bytes = await readScript(file).catch((error: NodeJS.ErrnoException) => {
    if (ToolError.is(error)) throw error
    const code = error.code === "ENOENT" ? "not_found" : "invalid_args"
    const other = error.code === "EISDIR" ? "it is a directory" : (error.code ?? error.message)
    const reason = error.code === "ENOENT" ? "the file does not exist" : other
    throw new ToolError(code, `Cannot read the script "${file}": ${reason}`, {
      hint: "Give script:FILE the path of a file with one JSON object a line",
    })
  })
  return new ScriptModel(file, await parseScript(file, bytes))
}

/** In pieces: what is no file, a pipe or a device, has no size to look at first. */
async function readScript(file: string): Promise<Buffer> {
  // To open a pipe waits for a writer, and nothing can end that; one of this process, as of <(...), has one.
  if (!/^\/(?:dev|proc)\//.test(file) && (await stat(file)).isFIFO()) {
    throw new ToolError("invalid_args", `Cannot read the script "${file}": it is a pipe`, {
      hint: "Give script:FILE the path of a file with one JSON object a line",
    })
  }
  const pieces: Buffer[] = []
  let size = 0
  for await (const piece of createReadStream(file)) {
    pieces.push(piece as Buffer)
    size += (piece as Buffer).length
    if (size > maxScriptBytes)
      throw new ToolError("too_large", `Cannot read the script "${file}": it has more than ${maxScriptBytes} bytes`)
  }
  return Buffer.concat(pieces)
}

/** What a request tells a script about the agent that asks; other providers do not look at it. */
export function askingAgent(agent: string): SharedV3ProviderOptions {
  return { haft: { agent } }
}

/**
 * A model that replays a file. Lines are taken in the order in which replies are asked for, by any agent; a line with
 * `agent` waits for that agent, which takes it before the others. The ids of calls follow from line and place, so that a second run gives the same ones.
 */
export class ScriptModel implements LanguageModelV3 {
  readonly specificationVersion = "v3"
  readonly provider = "script"
  readonly modelId: string
  readonly supportedUrls = {}
  private readonly lines: readonly ScriptLine[]
  private readonly reserved = new Map<string, ScriptLine[]>()
  private readonly taken = new Set<number>()
  /** All lines before this one are taken, so that a long script costs no more at its end. */
  private first = 0

  constructor(file: string, lines: readonly ScriptLine[]) {
    this.modelId = file
    this.lines = lines
    for (const line of lines) {
      if (line.agent === undefined) continue
      const others = this.reserved.get(line.agent)
      if (others) others.push(line)
      else this.reserved.set(line.agent, [line])
    }
  }

  /** Marks lines that an earlier process has used; a reply has its line in `providerMetadata.script.line`. */
  skip(lineNumbers: Iterable<number>): void {
    for (const line of lineNumbers) this.taken.add(line)
  }

  async doStream(options: LanguageModelV3CallOptions): Promise<LanguageModelV3StreamResult> {
    return new ReadyReply(replyParts(this.take(agentOf(options))))
  }

  doGenerate(): Promise<LanguageModelV3GenerateResult> {
    return Promise.reject(new ToolError("unsupported", `Cannot ask "script:${this.modelId}" without a stream`))
  }

  /** Its own line first: agents side by side ask in any order, and none must take what is meant for the one that has no name. */
  private take(agent: string | undefined): ScriptLine {
    const own = this.reserved.get(agent ?? "")?.find(({ number }) => !this.taken.has(number))
    if (own) {
      this.taken.add(own.number)
      return own
    }
    while (this.isTaken(this.first)) this.first += 1
    for (let index = this.first; index < this.lines.length; index += 1) {
      const line = this.lines[index]
      if (line === undefined || this.isTaken(index)) continue
      if (line.agent !== undefined) continue
      this.taken.add(line.number)
      return line
    }
    throw this.exhausted(agent)
  }

  private isTaken(index: number): boolean {
    const line = this.lines[index]
    return line !== undefined && this.taken.has(line.number)
  }

  private exhausted(agent: string | undefined): ModelError {
    const last = this.lines.at(-1)?.number ?? 0
    const kept = this.lines.filter(({ number }) => !this.taken.has(number))
    const who = agent === undefined ? "" : ` for the agent "${agent}"`
    const reserved = kept.length === 0 ? "" : `; line ${kept[0]?.number} is reserved for the agent "${kept[0]?.agent}"`
    const message = `The script "${this.modelId}" has no more replies${who} after line ${last}${reserved}`
    return new ModelError(
      modelFailure("bad_response", message, {
        hint: `Add the next reply as line ${last + 1} of the script`,
        retryable: false,
      }),
    )
  }
}

/** The agent that asks, where the request says it. */
export function agentOf({ providerOptions }: LanguageModelV3CallOptions): string | undefined {
  const agent = providerOptions?.haft?.agent
  return typeof agent === "string" ? agent : undefined
}

function replyParts(line: ScriptLine): readonly LanguageModelV3StreamPart[] {
  const { number, text, calls, usage } = line
  const parts: LanguageModelV3StreamPart[] = [{ type: "stream-start", warnings: [] }]
  if (text !== undefined && text !== "") {
    parts.push({ type: "text-start", id: "0" })
    for (const delta of pieces(text)) parts.push({ type: "text-delta", id: "0", delta })
    parts.push({ type: "text-end", id: "0" })
  }
  calls.forEach(({ name, input }, index) => {
    const id = `script_${number}_${index + 1}`
    parts.push({ type: "tool-input-start", id, toolName: name })
    for (const delta of pieces(input)) parts.push({ type: "tool-input-delta", id, delta })
    parts.push({ type: "tool-input-end", id })
    parts.push({ type: "tool-call", toolCallId: id, toolName: name, input })
  })
  parts.push({
    type: "finish",
    finishReason: { unified: calls.length > 0 ? "tool-calls" : "stop", raw: "script" },
    usage: {
      inputTokens: { total: usage?.input ?? 0, noCache: usage?.input ?? 0, cacheRead: 0, cacheWrite: 0 },
      outputTokens: { total: usage?.output ?? 0, text: usage?.output ?? 0, reasoning: 0 },
    },
    providerMetadata: { script: { line: number } },
  })
  return parts
}

/** Cuts as a model would, and never inside a character. */
function pieces(text: string): readonly string[] {
  return text.length <= 48 && text !== "" ? [text] : (text.match(/.{1,48}/gsu) ?? [])
}
