import { hash } from "node:crypto"
import { mkdir, open, readFile, rename, rm, stat } from "node:fs/promises"
import { join } from "node:path"
import { bestEffort, ignoreMissing, ToolError } from "@haft/contract"
import { createId } from "./create-id.js"

/** What a record holds in place of a value that is too large for the journal. */
export interface BlobReference {
  readonly sha256: string
  readonly bytes: number
}

/** Values that are too large for the journal, as files named by their content, readable by their owner alone. */
export class Blobs {
  private readonly folder: string | undefined

  /** Without a folder, large values are refused. */
  constructor(folder: string | undefined) {
    this.folder = folder
  }

  /** Resolves when the text is on disk: a record that is not synced is there with the next one that is, and its value must be too. */
  async write(sessionId: string, text: string): Promise<BlobReference> {
    const reference = { sha256: hash("sha256", text), bytes: Buffer.byteLength(text) }
    const folder = this.folderOf(sessionId)
    const path = join(folder, reference.sha256)
    await mkdir(folder, { recursive: true, mode: 0o700 })
    if ((await ignoreMissing(stat(path)))?.size === reference.bytes) return reference
    // Another name first: a process that dies in between leaves no half value under the name of the whole.
    const draft = join(folder, createId("prt"))
    try {
      const file = await open(draft, "wx", 0o600)
      try {
        await file.writeFile(text)
        await file.sync()
      } finally {
        await file.close()
      }
      await rename(draft, path)
    } catch (error) {
      // A full disk: what is left of the draft would stay.
      await bestEffort("the first error says more", rm(draft, { force: true }))
      throw error
    }
    return reference
  }

  /** The text of a reference; an error when it is gone or is not what was written. */
  async read(sessionId: string, { sha256 }: BlobReference): Promise<string> {
    const path = join(this.folderOf(sessionId), /^[0-9a-f]{64}$/.test(sha256) ? sha256 : "damaged")
    const text = await bestEffort("the error below says so", readFile(path, "utf8"))
    if (text !== undefined && hash("sha256", text) === sha256) return text
    const reason = text === undefined ? "it is missing or unreadable" : "its content was changed"
    throw new ToolError("backend", `Cannot read the value "${path}" of session "${sessionId}": ${reason}`, {
      hint: `See \`haft session verify ${sessionId}\``,
    })
  }

  async remove(sessionId: string): Promise<void> {
    if (this.folder !== undefined) await rm(this.folderOf(sessionId), { recursive: true, force: true })
  }

  /** An imported session may have any id; as the name of a folder only plain ones serve. */
  private folderOf(sessionId: string): string {
    if (this.folder === undefined) {
      const message = "Cannot keep a value of more than 256 KiB: the journal has no folder for such values"
      throw new ToolError("not_configured", message, { hint: "Give openStore the option blobs" })
    }
    return join(this.folder, /^[A-Za-z0-9_-]{1,100}$/.test(sessionId) ? sessionId : hash("sha256", sessionId))
  }
}
