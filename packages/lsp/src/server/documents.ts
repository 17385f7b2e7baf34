import { endingOf, type ServerSpec } from "../find/server-table.js"
import type { Connection } from "../wire/connection.js"
import { fileUri } from "../wire/values.js"

// Servers keep a syntax tree for each.
const maxOpen = 64

/** The documents that one server was sent. */
export class Documents {
  private readonly connection: Pick<Connection, "notify">
  private readonly spec: ServerSpec
  private readonly open = new Map<string, { readonly version: number; readonly text: string }>()
  // One count for all, never set back: a version says which text of which opening is meant.
  private lastVersion = 0

  constructor(connection: Pick<Connection, "notify">, spec: ServerSpec) {
    this.connection = connection
    this.spec = spec
  }

  /** Makes the server see this text for the file; `renew` makes it a new version also where the text is the same. */
  sync(path: string, text: string, { renew }: { readonly renew: boolean }): void {
    const known = this.open.get(path)
    // Put at the end: the order is that of the last use.
    this.open.delete(path)
    const version = known && known.text === text && !renew ? known.version : ++this.lastVersion
    this.open.set(path, { version, text })
    const uri = fileUri(path)
    if (!known) {
      const languageId = this.spec.languageIds[endingOf(path)] ?? this.spec.id
      this.connection.notify("textDocument/didOpen", { textDocument: { uri, languageId, version, text } })
    } else if (version !== known.version) {
      this.connection.notify("textDocument/didChange", {
        textDocument: { uri, version },
        contentChanges: [{ text }],
        forceRebuild: true,
      })
    }
    for (const oldest of this.open.keys()) {
      if (this.open.size <= maxOpen) break
      this.forget(oldest)
    }
  }

  /** The version that the server has; undefined when the file is not open there. */
  version(path: string): number | undefined {
    return this.open.get(path)?.version
  }

  paths(): readonly string[] {
    return [...this.open.keys()]
  }

  /** Lets the server read the file from the disk again. */
  forget(path: string): void {
    if (!this.open.delete(path)) return
    this.connection.notify("textDocument/didClose", { textDocument: { uri: fileUri(path) } })
  }
}
