import { ToolError } from "@haft/contract"
import type { LanguageLimits } from "../limits.js"
import { fileUri } from "../wire/file-uri.js"
import { recordOf } from "../wire/shape.js"
import type { LanguageServer } from "./language-server.js"
import { type Problem, problemsOf } from "./problem.js"

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
