import { type LanguageRequest, ToolError } from "@haft/contract"
import { fileUri } from "../wire/file-uri.js"
import { problemsOfDocument } from "../server/problems-of-document.js"
import type { Answer, Asking } from "./asking.js"
import { hoverText } from "./hover-text.js"
import { placesOf } from "./places-of.js"
import { positionOf } from "./position-of.js"
import type { Document } from "./read-document.js"
import { showPlaces } from "./show-places.js"
import { showProblems } from "./show-problems.js"
import { showSymbols } from "./show-symbols.js"
import { symbolsOf } from "./symbols-of.js"

/** Asks the server about one file, whose text it has. */
export function askAboutDocument(document: Document, asking: Asking): Promise<Answer> {
  switch (asking.request.action) {
    case "definition":
      return askForPlaces(document, asking, { method: "textDocument/definition", provider: "definitionProvider" })
    case "references":
      return askForPlaces(document, asking, { method: "textDocument/references", provider: "referencesProvider" })
    case "hover":
      return askForHover(document, asking)
    case "symbols":
      return askForSymbols(document, asking)
    case "diagnostics":
      return askForProblems(document, asking)
  }
}

async function askForPlaces(
  document: Document,
  asking: Asking,
  { method, provider }: { readonly method: string; readonly provider: string },
): Promise<Answer> {
  const answer = await askServer(asking, provider, method, {
    ...placeParams(document, asking.request),
    ...(method === "textDocument/references" && { context: { includeDeclaration: true } }),
  })
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
export async function askServer(
  { session, limits, signal, request }: Asking,
  provider: string,
  method: string,
  params: unknown,
): Promise<unknown> {
  const { name, capabilities, connection } = session.server
  if (!capabilities[provider]) {
    throw new ToolError("unsupported", `Cannot ask "${name}" for ${request.action}: this language server cannot do it`)
  }
  return await connection.request(method, params, { timeoutMs: limits.requestMs, signal })
}
