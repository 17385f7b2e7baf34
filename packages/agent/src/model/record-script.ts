import { closeSync, fstatSync, openSync, readSync, writeSync } from "node:fs"
import type { LanguageModelV3, LanguageModelV3StreamPart } from "@ai-sdk/provider"
import { ToolError } from "@haft/contract"
import { keepSameSecret } from "./model-error.js"
import { type ModelReply, ReplyBuilder, replyCalls, replyText } from "./reply.js"
import { agentOf } from "./script-model.js"

/** How a recording is begun. */
export interface RecordScriptOptions {
  /** Goes on with a file that has lines; without it such a file is refused. */
  readonly append?: boolean
  /** Takes secrets out of a line before it is written. */
  readonly redact?: (text: string) => string
}

/**
 * Writes replies as a script that `script:FILE` replays. Each reply is one write to a file that is opened for appending, so
 * that a process which is killed leaves whole lines.
 */
export class ScriptRecorder {
  private readonly descriptor: number
  private readonly redact: (text: string) => string

  constructor(file: string, options: RecordScriptOptions = {}) {
    this.redact = options.redact ?? ((text) => text)
    try {
      this.descriptor = openSync(file, "a+", 0o600)
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException
      throw new ToolError("invalid_args", `Cannot record into "${file}": ${code ?? "it cannot be opened"}`, {
        hint: "Give --record the path of a new file in a folder that exists",
      })
    }
    const { size } = fstatSync(this.descriptor)
    if (size > 0 && options.append !== true) {
      this.close()
      throw new ToolError("conflict", `Cannot record into "${file}": it already has content`, {
        hint: "Remove it or give --record another file",
      })
    }
    if (size > 0 && !this.endsWithNewline(size)) writeSync(this.descriptor, "\n")
  }

  /** Adds one reply. `agent` reserves the line for that agent, for replies of subagents that run side by side. */
  add(reply: ModelReply, agent?: string): void {
    const text = replyText(reply)
    const calls = replyCalls(reply).map(({ name, input }) => ({ name, ...argumentsOf(input) }))
    const { inputTokens, cacheReadTokens, cacheWriteTokens, outputTokens } = reply.usage
    const input = inputTokens + cacheReadTokens + cacheWriteTokens
    const line = {
      ...(agent === undefined ? {} : { agent }),
      ...(text === "" ? {} : { text }),
      ...(calls.length === 0 ? {} : { calls }),
      ...(input + outputTokens === 0 ? {} : { usage: { input, output: outputTokens } }),
    }
    writeSync(this.descriptor, `${this.redact(JSON.stringify(line))}\n`)
  }

  close(): void {
    closeSync(this.descriptor)
  }

  private endsWithNewline(size: number): boolean {
    const last = Buffer.alloc(1)
    readSync(this.descriptor, last, 0, 1, size - 1)
    return last[0] === 10
  }
}

/** The model with every whole reply written down. A reply that breaks off is asked for again, and is not recorded. */
export function recordedModel(model: LanguageModelV3, recorder: ScriptRecorder): LanguageModelV3 {
  const recorded: LanguageModelV3 = {
    specificationVersion: model.specificationVersion,
    provider: model.provider,
    modelId: model.modelId,
    supportedUrls: model.supportedUrls,
    doGenerate: (call) => model.doGenerate(call),
    async doStream(call) {
      const answer = await model.doStream(call)
      const builder = new ReplyBuilder()
      const watch = new TransformStream<LanguageModelV3StreamPart, LanguageModelV3StreamPart>({
        transform(part, controller) {
          builder.add(part)
          controller.enqueue(part)
        },
        flush() {
          if (builder.ended) recorder.add(builder.build(), subagentOf(agentOf(call)))
        },
      })
      return { ...answer, stream: answer.stream.pipeThrough(watch) }
    },
  }
  return keepSameSecret(recorded, { of: model })
}

/** Only lines of subagents are reserved: those of the main agent may be replayed under any name. */
function subagentOf(agent: string | undefined): string | undefined {
  return agent === "haft" ? undefined : agent
}

/** Arguments as JSON where that gives the same text again, else as the raw text that came. */
function argumentsOf(input: string): { readonly args: unknown } | { readonly input: string } {
  try {
    const args: unknown = JSON.parse(input)
    return JSON.stringify(args) === input ? { args } : { input }
  } catch {
    return { input }
  }
}
