import { basename, dirname } from "node:path"
import { isInside, ToolError } from "@haft/contract"
import { endingOf } from "../find/server-table.js"
import { askServer } from "./about-document.js"
import type { Answer, Asking } from "./asking.js"
import { readDocument } from "./document.js"
import { showSymbols, symbolsOf } from "./symbols.js"

// Servers load the project of a document that they are shown; a workspace may have several.
const maxProjects = 8

/** Asks the server for symbols by name in the whole workspace. */
export async function askAboutWorkspace(asking: Asking): Promise<Answer> {
  const { session, request } = asking
  await session.inTurn(() => openProjects(asking))
  const params = { query: request.query ?? "" }
  const answer = await askServer(asking, "workspaceSymbolProvider", "workspace/symbol", params)
  return showSymbols(symbolsOf(answer), asking)
}

/** Shows the server one file of each project, where it has been shown none. */
async function openProjects({ session, files, admits }: Asking): Promise<void> {
  const { documents } = session.server
  const known = session.files()
  const { languageIds, projectFiles } = session.spec
  const sources = known.filter((path) => Object.hasOwn(languageIds, endingOf(path))).sort(shallowFirst)
  const projects = known.filter((path) => projectFiles.includes(basename(path))).map((path) => dirname(path))
  const folders = projects.length > 0 ? [...new Set(projects)].sort(shallowFirst) : [session.root]
  for (const folder of folders.slice(0, maxProjects)) {
    if (documents.paths().some((path) => isInside(path, folder))) continue
    for (const path of sources.filter((source) => isInside(source, folder)).slice(0, 3)) {
      if (!(await admits(path))) continue
      const document = await readDocument(files, path).catch(ignoreUnreadable)
      if (!document) continue
      session.sync(document.path, document.text)
      break
    }
  }
}

function shallowFirst(a: string, b: string): number {
  return a.split(/[/\\]/).length - b.split(/[/\\]/).length || (a < b ? -1 : 1)
}

function ignoreUnreadable(error: unknown): undefined {
  if (ToolError.is(error) && error.code !== "cancelled") return undefined
  throw error
}
