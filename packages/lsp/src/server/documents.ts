import { endingOf, type ServerSpec } from "../find/server-table.js"
import type { Connection } from "../wire/connection.js"
import { fileUri } from "../wire/values.js"

/** The documents that a server was sent. */
export interface Documents {
  /** Makes the server see this text for the file; the number of the version that it then has. */
  sync(path: string, text: string, options?: { readonly renew?: boolean }): number
  /** The version that the server has; undefined when the file is not open there. */
  version(path: string): number | undefined
  text(path: string): string | undefined
  paths(): readonly string[]
  /** Lets the server read the file from the disk again. */
  forget(path: string): void
}

// Servers keep a syntax tree for each.
const maxOpen = 64

/** Keeps the documents of one server in step. */
export function createDocuments(connection: Connection, spec: ServerSpec): Documents {
  const open = new Map<string, { readonly version: number; readonly text: string }>()
  // One count for all, never set back: a version says which text of which opening is meant.
  let lastVersion = 0

  const forget = (path: string) => {
    if (open.delete(path)) connection.notify("textDocument/didClose", { textDocument: { uri: fileUri(path) } })
  }

  return {
    sync(path, text, { renew = false } = {}) {
      const known = open.get(path)
      // Put at the end: the order is that of the last use.
      open.delete(path)
      const version = known && known.text === text && !renew ? known.version : ++lastVersion
      open.set(path, { version, text })
      const uri = fileUri(path)
      if (!known) {
        const languageId = spec.languageIds[endingOf(path)] ?? spec.id
        connection.notify("textDocument/didOpen", { textDocument: { uri, languageId, version, text } })
      } else if (version !== known.version) {
        connection.notify("textDocument/didChange", {
          textDocument: { uri, version },
          contentChanges: [{ text }],
          // clangd says nothing again about a text that it has seen, unless it is told to.
          forceRebuild: true,
        })
      }
      for (const oldest of open.keys()) {
        if (open.size <= maxOpen) break
        forget(oldest)
      }
      return version
    },
    version: (path) => open.get(path)?.version,
    text: (path) => open.get(path)?.text,
    paths: () => [...open.keys()],
    forget,
  }
}
