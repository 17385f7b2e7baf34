import type { AnyDialectTool, Projection, ToolResult } from "@haft/contract"
import { failureWords, isOutput } from "../shared/failure-words.js"
import { jsonText } from "../shared/json-text.js"
import { failureOf, textOf, withNotes } from "../shared/parts-of-result.js"
import { type A3sOutput, failed, worked } from "./a3s-output.js"
import { errorKind } from "./error-kind.js"

/** The end of a call as A3S Code gets it. */
export function project(result: ToolResult, row: AnyDialectTool | undefined, input: unknown): Projection {
  const value = isOutput(result)
    ? completed(outputOf(result, row, input), result, wantsJson(row, input))
    : failedOutput(result, row, input)
  return { value, success: value.success, text: value.content }
}

function outputOf(result: ToolResult, row: AnyDialectTool | undefined, input: unknown): A3sOutput {
  try {
    const value = row?.toValue(result, input)
    if (isSound(value)) return value
  } catch {
    // Data that is not what its tool promises: the text says what there is to say.
  }
  return plainOutput(result)
}

function isSound(value: unknown): value is A3sOutput {
  const { content, success } = (value ?? {}) as Partial<A3sOutput>
  return typeof content === "string" && typeof success === "boolean" && jsonText(value) !== "null"
}

/** Without the fields of a known tool only the text and, for a process, its end are left. */
function plainOutput(result: ToolResult): A3sOutput {
  const content = safely(() => textOf(result)) || "(no output)"
  const data = result.envelope.type === "output" ? result.envelope.data : undefined
  const exit = (data as { readonly exit_code?: unknown } | null | undefined)?.exit_code
  return typeof exit === "number" && exit !== 0 ? failed(content, undefined, { exit_code: exit }) : worked(content)
}

function failedOutput(result: ToolResult, row: AnyDialectTool | undefined, input: unknown): A3sOutput {
  const { code, message, text } = failureWords(result) ?? { code: "internal", message: "", text: "" }
  const details = safely(() => failureOf(result)?.details)
  const call = { tool: row?.name ?? "", subject: subjectOf(row?.name, input), durationMs: durationOf(result) }
  return failed(text, errorKind({ code, message, details }, call))
}

/** Whether the content is to be parsed: then nothing is said beside it. */
function wantsJson(row: AnyDialectTool | undefined, input: unknown): boolean {
  return row?.name === "web_search" && (input as { readonly format?: unknown } | null)?.format === "json"
}

function completed(output: A3sOutput, result: ToolResult, isJson: boolean): A3sOutput {
  if (isJson) {
    const notes = result.envelope.metadata?.notes ?? []
    return notes.length === 0 ? output : { ...output, metadata: { ...output.metadata, notes } }
  }
  const whole = withArtifact(output, result)
  return { ...whole, content: withNotes(whole.content, result) }
}

/** A long result names the file with the rest. */
function withArtifact(output: A3sOutput, { envelope }: ToolResult): A3sOutput {
  const path = envelope.metadata?.output_path
  if (typeof path !== "string") return output
  const line = envelope.metadata.truncated
    ? `[Output truncated; more of it is in ${path}]`
    : `[Output shortened; all of it is in ${path}]`
  return {
    ...output,
    content: `${output.content.replace(/\n$/, "")}\n${line}`,
    metadata: { ...output.metadata, artifact: { artifact_uri: path } },
  }
}

const subjectKeys = ["file_path", "path", "url", "command", "pattern", "query"] as const
// The command of git is a verb; what was not found is the commit, the branch or the repository itself.
const gitKeys = ["path", "ref", "target", "base", "name"] as const

function subjectOf(tool: string | undefined, input: unknown): string {
  const values = (input ?? {}) as Readonly<Record<string, unknown>>
  const keys: readonly string[] = tool === "git" ? gitKeys : subjectKeys
  const named = keys.map((key) => values[key]).find((value) => typeof value === "string")
  return (named as string | undefined) ?? (tool === "git" ? "." : "")
}

function durationOf(result: ToolResult): number {
  const duration = result?.envelope?.metadata?.duration_ms
  return typeof duration === "number" ? duration : 0
}

function safely<Value>(read: () => Value): Value | undefined {
  try {
    return read()
  } catch {
    return undefined
  }
}
