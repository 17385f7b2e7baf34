import { type LanguageRequest, ToolError } from "@haft/contract"
import type { ServerCapabilities } from "vscode-languageserver-protocol"
import { problemsOfDocument, showProblems } from "../server/problems.js"
import type { Requests } from "../wire/protocol.js"
import { fileUri, recordOf, textOf } from "../wire/values.js"
import type { Answer, Asking } from "./asking.js"
import { type Document, positionOf } from "./document.js"
import { placesOf, showPlaces } from "./places.js"
import { showSymbols, symbolsOf } from "./symbols.js"

/** Asks the server about one file, whose text it has. */
export function askAboutDocument(document: Document, asking: Asking): Promise<Answer> {
  switch (asking.request.action) {
    case "definition":
      return askForDefinition(document, asking)
    case "references":
      return askForReferences(document, asking)
    case "hover":
      return askForHover(document, asking)
    case "symbols":
      return askForSymbols(document, asking)
    case "diagnostics":
      return askForProblems(document, asking)
  }
}

async function askForDefinition(document: Document, asking: Asking): Promise<Answer> {
  const params = placeParams(document, asking.request)
  return answerWithPlaces(await askServer(asking, "definitionProvider", "textDocument/definition", params), asking)
}

async function askForReferences(document: Document, asking: Asking): Promise<Answer> {
  const params = { ...placeParams(document, asking.request), context: { includeDeclaration: true } }
  return answerWithPlaces(await askServer(asking, "referencesProvider", "textDocument/references", params), asking)
}

async function answerWithPlaces(answer: unknown, asking: Asking): Promise<Answer> {
  const { places, elsewhere } = placesOf(answer)
  const note = elsewhere === 0 ? undefined : `${elsewhere} in libraries inside the language server, which have no file`
  return { ...(await showPlaces(places, asking)), ...(note !== undefined && { text: note }) }
}

async function askForHover(document: Document, asking: Asking): Promise<Answer> {
  const params = placeParams(document, asking.request)
  const text = hoverText(await askServer(asking, "hoverProvider", "textDocument/hover", params))
  return { items: [], denied: 0, ...(text !== undefined && { text }) }
}

async function askForSymbols(document: Document, asking: Asking): Promise<Answer> {
  const params = { textDocument: { uri: fileUri(document.path) } }
  const answer = await askServer(asking, "documentSymbolProvider", "textDocument/documentSymbol", params)
  const wanted = asking.request.query?.toLowerCase() ?? ""
  const symbols = symbolsOf(answer, document.path).filter(({ name }) => name.toLowerCase().includes(wanted))
  return showSymbols(symbols, asking)
}

async function askForProblems(document: Document, asking: Asking): Promise<Answer> {
  const { session, signal, limits, files } = asking
  const problems = await problemsOfDocument(session.server, document.path, { limits, signal })
  if (!problems) return { items: [], denied: 0, stale: true }
  session.remember(document.path, { text: document.text, problems })
  return { items: showProblems(problems, files.display(document.path)), denied: 0 }
}

function placeParams(document: Document, request: LanguageRequest) {
  return { textDocument: { uri: fileUri(document.path) }, position: positionOf(request, document) }
}

/** Sends a request, if the server said at its start that it knows it. */
export async function askServer<Method extends keyof Requests>(
  { session, limits, signal, request }: Asking,
  provider: keyof ServerCapabilities,
  method: Method,
  params: Requests[Method],
): Promise<unknown> {
  const { name, capabilities, connection } = session.server
  if (!capabilities[provider]) {
    throw new ToolError("unsupported", `Cannot ask "${name}" for ${request.action}: this language server cannot do it`)
  }
  return await connection.request(method, params, { timeoutMs: limits.requestMs, signal })
}

const maxCharacters = 16_000

/** The words of a hover, whichever of the protocol's three forms they come in; undefined when there are none. */
export function hoverText(answer: unknown): string | undefined {
  const { contents } = recordOf(answer) ?? {}
  const parts = Array.isArray(contents) ? contents : [contents]
  const words = parts.flatMap(partOf).join("\n\n").trim()
  return words === "" ? undefined : textOf(words, maxCharacters)
}

function partOf(part: unknown): readonly string[] {
  if (typeof part === "string") return [part]
  const value = recordOf(part)?.value
  return typeof value === "string" ? [value] : []
}
