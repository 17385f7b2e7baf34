import {
  bestEffort,
  type CallScope,
  type EditorBuffers,
  type FileContent,
  type FileFacts,
  type FileReader,
  type FileWriter,
  type GrepFound,
  type GrepRequest,
  isInside,
  type OpenFile,
  type SessionPorts,
  ToolError,
} from "@haft/contract"
import { contentHash, linesInMemory } from "@haft/host"

// An editor asks nobody to wait long for a text of that size.
const maxBufferBytes = 4 * 1024 * 1024

// After a search the editor is asked about so many files at most.
const maxAsked = 50

/**
 * Ports that see a file as the editor has it, unsaved changes included. Every path is opened on disk first, so that roots,
 * links and the grant decide as ever; only then is the editor asked. Commands see the disk, and so do searches, which say of
 * which files they have not seen the unsaved text.
 */
export function withEditorBuffers(ports: SessionPorts, editor: EditorBuffers): SessionPorts {
  const buffers = new Buffers(editor)
  return {
    ...ports,
    files: (call) => buffers.files(ports.files(call), call, () => ports.filesToShow(looking)),
    search: (call) => {
      const search = ports.search(call)
      const grep = async (request: GrepRequest) => {
        const found = await search.grep(request)
        const { resolved } = await ports.locate(request.path ?? ".")
        const unsaved = await buffers.unsavedAmong(found, resolved, ports.filesToShow(call), call.signal)
        return unsaved.length === 0 ? found : { ...found, skipped: { ...found.skipped, unsaved } }
      }
      return { ...search, grep }
    },
    filesToShow: (call) => buffers.reader(ports.filesToShow(call), call, { isShown: true }),
    // What a person was shown is compared with what a call would see.
    async contentHash(path) {
      const hash = await ports.contentHash(path)
      return hash === null ? null : ((await buffers.hashOf(ports.filesToShow(looking), path)) ?? hash)
    },
  }
}

/** For a comparison, which tells nobody what a file contains. */
const looking: CallScope = {
  callId: "",
  sessionId: "",
  signal: new AbortController().signal,
  deadlineMs: Number.POSITIVE_INFINITY,
  grant: { admits: (kind) => kind === "fs.read", mayKeep: () => false },
  observe: () => undefined,
}

/** What saving would write. */
interface Unsaved {
  readonly bytes: Buffer
  readonly hash: string
}

/** What the editor holds of the files of one session. */
class Buffers {
  /** The unsaved content that the model read, by path. */
  private readonly seen = new Map<string, string>()
  private readonly editor: EditorBuffers

  constructor(editor: EditorBuffers) {
    this.editor = editor
  }

  files(files: FileReader & FileWriter, call: CallScope, toShow: () => FileReader): FileReader & FileWriter {
    return { ...files, ...this.reader(files, call, { isShown: false }), ...this.writer(files, call, toShow) }
  }

  /** The hash of unsaved changes, where there are any. */
  async hashOf(files: FileReader, path: string): Promise<string | undefined> {
    return (await this.heldBy(files, path, looking.signal))?.hash
  }

  /**
   * The files with unsaved text among those that a search found something in, or that were seen to have some. An editor
   * does not say which files it holds, so one that is neither is not known.
   */
  async unsavedAmong(
    { matches }: GrepFound,
    below: string,
    files: FileReader,
    signal: AbortSignal,
  ): Promise<readonly string[]> {
    const known = [...this.seen.keys()].filter((path) => isInside(path, below)).map((path) => files.display(path))
    const paths = [...new Set([...known, ...matches.map(({ path }) => path)])].slice(0, maxAsked)
    const held = await Promise.all(paths.map((path) => this.heldBy(files, path, signal)))
    return paths.filter((_path, index) => held[index] !== undefined).sort()
  }

  reader(files: FileReader, call: CallScope, { isShown }: { readonly isShown: boolean }): FileReader {
    const note = (path: string, { hash }: Unsaved) => {
      if (!isShown) this.seen.set(path, hash)
    }
    return {
      ...files,
      open: async (path) => {
        const file = await files.open(path)
        if (file.size > maxBufferBytes) return file
        const unsaved = await this.unsaved(file, async () => file.whole ?? file.read(0, file.size), call.signal)
        if (!unsaved) return file
        await file.close()
        note(file.path, unsaved)
        return openBuffer(file, unsaved.bytes)
      },
      readAll: async (path, options) => {
        const content = await files.readAll(path, options)
        const unsaved = await this.unsaved(content, async () => content.bytes, call.signal)
        if (!unsaved) return content
        note(content.path, unsaved)
        return bufferContent(content, unsaved)
      },
    }
  }

  private writer(
    files: FileReader & FileWriter,
    call: CallScope,
    toShow: () => FileReader,
  ): Pick<FileWriter, "write" | "update"> {
    return {
      write: async (path, bytes, options) => {
        const held = await this.heldBy(toShow(), path, call.signal)
        if (held && this.seen.get(held.path) !== held.hash) throw unseen(files.display(path))
        const receipt = await files.write(path, bytes, options)
        if (held) await this.tell(held.path, bytes, call.signal)
        return receipt
      },
      update: async (path, options, change) => {
        let written: { readonly path: string; readonly bytes: Uint8Array } | undefined
        const receipt = await files.update(path, options, async (current) => {
          const unsaved = await this.unsaved(current, async () => current.bytes, call.signal)
          if (!unsaved) return change(current)
          const changed = await change(bufferContent(current, unsaved))
          written = { path: current.path, bytes: changed }
          return changed
        })
        if (written) await this.tell(written.path, written.bytes, call.signal)
        return receipt
      },
    }
  }

  /** A file with unsaved changes that would be written over. Looking for it does not count as having read the file. */
  private async heldBy(
    files: FileReader,
    path: string,
    signal: AbortSignal,
  ): Promise<(Unsaved & Pick<FileFacts, "path">) | undefined> {
    const content = await bestEffort(
      "what is missing, too large or may not be read has no buffer to protect",
      files.readAll(path, { maxBytes: maxBufferBytes }),
    )
    const unsaved = content && (await this.unsaved(content, async () => content.bytes, signal))
    return unsaved && { ...unsaved, path: content.path }
  }

  /** The bytes that saving would write, where the editor has another text than the disk; only for UTF-8. */
  private async unsaved(
    { path, size }: Pick<FileFacts, "path" | "size">,
    onDisk: () => Promise<Uint8Array>,
    signal: AbortSignal,
  ): Promise<Unsaved | undefined> {
    const text = size > maxBufferBytes ? undefined : await this.editor.read(path, signal)
    if (text === undefined || text.length > maxBufferBytes) return undefined
    const saved = decoded(await onDisk())
    if (saved === undefined || plain(saved) === plain(text)) return undefined
    const bytes = Buffer.from(styledLike(saved, text))
    return { bytes, hash: contentHash(bytes) }
  }

  private async tell(path: string, bytes: Uint8Array, signal: AbortSignal): Promise<void> {
    await this.editor.written(
      path,
      Buffer.from(bytes)
        .toString("utf8")
        .replace(/^\ufeff/, ""),
      signal,
    )
  }
}

function unseen(path: string): ToolError {
  return new ToolError("conflict", `Cannot write "${path}": it has changes in the editor that are not saved`, {
    hint: { say: "Look at it with {tool:read} first, then decide what it shall contain" },
  })
}

function decoded(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    // In another encoding the editor's text cannot be compared; the disk counts.
    return undefined
  }
}

/** Editors keep a byte order mark and the kind of line breaks apart from the text. */
function plain(text: string): string {
  return text.replace(/^\ufeff/, "").replaceAll("\r\n", "\n")
}

function styledLike(saved: string, text: string): string {
  const mark = saved.startsWith("\ufeff") ? "\ufeff" : ""
  const body = plain(text)
  return mark + (saved.includes("\r\n") ? body.replaceAll("\n", "\r\n") : body)
}

function bufferContent(content: FileContent, { bytes, hash }: Unsaved): FileContent {
  return { ...content, bytes, size: bytes.length, hash }
}

function openBuffer({ path, mtimeMs, mode }: OpenFile, whole: Buffer): OpenFile {
  return {
    path,
    kind: "file",
    size: whole.length,
    mtimeMs,
    mode,
    whole,
    read: async (offset, length) => whole.subarray(offset, offset + length),
    lines: async (request) => linesInMemory(whole, request),
    close: async () => undefined,
  }
}
