import { type LanguageItem, ToolError } from "@haft/contract"
import type { LanguageLimits } from "../limits.js"
import { countOf, fileUri, listOf, recordOf, textOf } from "../wire/values.js"
import type { LanguageServer } from "./language-server.js"

/** A problem in a file as a server reported it; line and character count from 0. */
export interface Problem {
  readonly line: number
  readonly character: number
  readonly message: string
  readonly severity: NonNullable<LanguageItem["severity"]>
  /** Who says so and under which code, for instance `ts 2322`. */
  readonly origin: string
}

const severities = ["error", "warning", "information", "hint"] as const
const maxProblems = 1000
const maxMessage = 2000

/** The problems in a list that a server sent; what has no place or no message is left out. */
export function problemsOf(value: unknown): readonly Problem[] {
  return listOf(value).slice(0, maxProblems).flatMap(problemOf)
}

function problemOf(value: unknown): readonly Problem[] {
  const { range, message, severity, source, code } = recordOf(value) ?? {}
  const start = recordOf(recordOf(range)?.start)
  const line = countOf(start?.line)
  const character = countOf(start?.character)
  const words = textOf(message, maxMessage)
  if (line === undefined || character === undefined || words === undefined) return []
  const origin = [textOf(source, 50), codeOf(code)].filter((part) => part !== undefined).join(" ")
  return [{ line, character, message: words, severity: severities[(countOf(severity) ?? 1) - 1] ?? "error", origin }]
}

function codeOf(code: unknown): string | undefined {
  return typeof code === "number" ? String(code) : textOf(code, 100)
}

/** How long fresh problems are waited for. */
export interface FreshOptions {
  readonly limits: Pick<LanguageLimits, "requestMs" | "freshMs" | "settleMs">
  readonly signal: AbortSignal
}

/**
 * The problems of the text that the server has for a document now. Undefined when it said nothing about exactly this
 * text in time: what it said about another one is worth nothing.
 */
export async function problemsOfDocument(
  server: LanguageServer,
  path: string,
  { limits, signal }: FreshOptions,
): Promise<readonly Problem[] | undefined> {
  const version = server.documents.version(path)
  if (version === undefined) return undefined
  const problems = server.capabilities.diagnosticProvider
    ? await pulled(server, path, { limits, signal })
    : await server.published.wait(path, {
        version,
        settleMs: limits.settleMs,
        signal: AbortSignal.any([signal, AbortSignal.timeout(limits.freshMs)]),
      })
  // Another call may have sent a newer text meanwhile.
  return server.documents.version(path) === version ? problems : undefined
}

async function pulled(
  { connection, capabilities }: LanguageServer,
  path: string,
  { limits, signal }: FreshOptions,
): Promise<readonly Problem[] | undefined> {
  const identifier = recordOf(capabilities.diagnosticProvider)?.identifier
  const params = { textDocument: { uri: fileUri(path) }, ...(typeof identifier === "string" && { identifier }) }
  try {
    const report = recordOf(
      await connection.request("textDocument/diagnostic", params, { timeoutMs: limits.requestMs, signal }),
    )
    return report?.kind === "full" ? problemsOf(report.items) : undefined
  } catch (error) {
    if (ToolError.is(error) && error.code === "timeout") return undefined
    throw error
  }
}

/** Problems of one file as they are shown, in the order of lines. */
export function showProblems(problems: readonly Problem[], shownPath: string): readonly LanguageItem[] {
  const sorted = [...problems].sort((a, b) => a.line - b.line || a.character - b.character)
  return sorted.map(({ line, character, message, severity, origin }) => ({
    path: shownPath,
    line: line + 1,
    character: character + 1,
    text: message,
    severity,
    ...(origin !== "" && { kind: origin }),
  }))
}
