import {
  type FileContent,
  type FilePreview,
  type FileReader,
  type FileWriter,
  type Hunk,
  type Located,
  type PreviewCall,
  ToolError,
} from "@haft/contract"
import { detectEncoding } from "../text/encoding.js"
import { maxTextBytes, openText } from "../text/open-text.js"
import { type LineDiff, lineDiff } from "./line-diff.js"

/**
 * Runs a tool on files that only remember what it would do to them, so that what is shown is what the same code will do.
 * For tools whose only effects are on files.
 */
export const preview: PreviewCall = async (execute, input, { files: reader, signal, limit }) => {
  const files = new DryRunFiles(reader)
  const ignore = () => undefined
  const context = { files, signal, limit, emit: ignore, attach: ignore, setSidecar: ignore, setState: ignore }
  try {
    await execute(input, context as never)
  } catch (error) {
    if (!ToolError.is(error)) throw error
    // What was done before it failed would be taken back.
    return { problem: error.message }
  }
  return { files: await files.previews() }
}

/** A file that the tool has touched. */
interface Touched {
  /** Where it would be; absolute. */
  readonly place: string
  /** Where it is now; absolute. */
  readonly source: string
  readonly shown: string
  action: FilePreview["action"]
  to?: string
  /** What is there now: undefined for nothing, a reason where it is not shown. */
  readonly before: Content | Unseen | undefined
  /** What would be there; undefined for a file that is gone or a folder that is moved. */
  after?: Uint8Array
}

type Content = Pick<FileContent, "bytes" | "hash">

interface Unseen {
  readonly note: string
  readonly size?: number
}

/** The files of a dry run, in the order in which they are touched. */
class DryRunFiles implements FileReader, FileWriter {
  private readonly reader: FileReader
  private readonly touched: Touched[] = []
  readonly open: FileReader["open"]
  readonly stat: FileReader["stat"]
  readonly list: FileReader["list"]
  readonly display: FileReader["display"]

  constructor(reader: FileReader) {
    this.reader = reader
    this.open = (path) => reader.open(path)
    this.stat = (path) => reader.stat(path)
    this.list = (path, options) => reader.list(path, options)
    this.display = (path) => reader.display(path)
  }

  locate = (path: string): Promise<Located> => this.reader.locate(path)

  readAll: FileReader["readAll"] = (path, options) => this.reader.readAll(path, options)

  write: FileWriter["write"] = async (path, bytes, { mustBeNew = false } = {}) => {
    const { resolved, kind } = await this.reader.locate(path)
    if (mustBeNew && kind !== "missing") throw new ToolError("conflict", `Cannot create "${path}": it exists already`)
    const before = kind === "missing" ? undefined : await this.look(path)
    this.touch(resolved, resolved, { action: before ? "replace" : "create", before, after: bytes })
    return {
      ...{ path: resolved, created: before === undefined, bytesWritten: bytes.length, hash: "" },
      before: before && "bytes" in before ? before.bytes : undefined,
    }
  }

  update: FileWriter["update"] = async (path, { maxBytes }, change) => {
    const moved = await this.movedTo(path)
    const current = await this.reader.readAll(moved?.source ?? path, { maxBytes })
    const after = await change(current)
    const { resolved } = await this.reader.locate(path)
    if (moved) moved.after = after
    else this.touch(resolved, resolved, { action: "change", before: current, after })
    return { path: resolved, created: false, bytesWritten: after.length, hash: "", before: current.bytes }
  }

  remove: FileWriter["remove"] = async (path) => {
    const located = await this.reader.locate(path)
    const { absolute } = located
    const before = (await this.isLink(located)) ? { note: "a link; what it leads to stays" } : await this.look(path)
    this.touch(absolute, absolute, { action: "delete", before })
    return { path: absolute, before: "bytes" in before ? before.bytes : undefined }
  }

  move: FileWriter["move"] = async (from, to) => {
    const [source, goal] = [await this.reader.locate(from), await this.reader.locate(to)]
    const before = source.kind === "file" ? await this.look(from) : undefined
    this.touch(goal.absolute, source.absolute, {
      ...{ action: "move", to: this.reader.display(goal.absolute), before },
      ...(before && "bytes" in before ? { after: before.bytes } : {}),
    })
    return { from: source.absolute, to: goal.absolute, kind: source.kind === "directory" ? "directory" : "file" }
  }

  /** What would become of every file that was touched, bounded so that a person can be asked at all. */
  async previews(): Promise<readonly FilePreview[]> {
    const room = new Room()
    const previews: FilePreview[] = []
    for (const touched of this.touched) previews.push(await previewOf(touched, room))
    return previews
  }

  private touch(place: string, source: string, change: Omit<Touched, "place" | "source" | "shown">): void {
    this.touched.push({ place, source, shown: this.reader.display(source), ...change })
  }

  private async movedTo(path: string): Promise<Touched | undefined> {
    const { absolute } = await this.reader.locate(path)
    const moved = this.touched.findLast(({ place }) => place === absolute)
    return moved?.action === "move" ? moved : undefined
  }

  /** Whether the last name of a path is that of a link. */
  private async isLink({ absolute, resolved }: Located): Promise<boolean> {
    const folder = absolute.replace(/[/\\][^/\\]*$/, "")
    const above = folder === "" ? "" : (await this.reader.locate(folder)).resolved
    return above + absolute.slice(folder.length) !== resolved
  }

  /** The content that would be lost, or why it is not shown. */
  private async look(path: string): Promise<Content | Unseen> {
    try {
      return await this.reader.readAll(path, { maxBytes: maxTextBytes })
    } catch (error) {
      if (!ToolError.is(error)) throw error
      if (error.code === "denied") return { note: "what it holds is not shown: a rule denies reading it" }
      if (error.code !== "too_large") throw error
      const size = (await this.reader.stat(path))?.size
      return { note: "too large to compare", ...(size === undefined ? {} : { size }) }
    }
  }
}

async function previewOf(touched: Touched, room: Room): Promise<FilePreview> {
  const { shown, action, to, before, after } = touched
  const bytesBefore = before && ("bytes" in before ? before.bytes.length : before.size)
  const common = {
    ...{ path: shown, action },
    ...(to === undefined ? {} : { to }),
    ...(bytesBefore === undefined ? {} : { bytesBefore }),
    ...(after === undefined ? {} : { bytesAfter: after.length }),
  }
  if (before && "note" in before) return { ...common, ...nothing, note: before.note }
  const former = before?.bytes ?? new Uint8Array()
  if (action === "move" && (after === undefined || after === former)) return { ...common, ...nothing }
  const compared = await compare(former, after ?? new Uint8Array())
  return typeof compared === "string" ? { ...common, ...nothing, note: compared } : { ...common, ...room.fit(compared) }
}

const nothing = { added: 0, removed: 0, hunks: [] }

/** The difference of two contents, or why there is none to show. */
async function compare(before: Uint8Array, after: Uint8Array): Promise<LineDiff | string> {
  const [old, now] = [await detectEncoding(before), await detectEncoding(after)]
  if (old === "binary" || now === "binary") return "binary"
  const [former, next] = [(await openText(before, old)).content, (await openText(after, now)).content]
  if (former !== next) return lineDiff(former, next)
  if (old.encoding !== now.encoding) return `only the encoding changes, from ${old.encoding} to ${now.encoding}`
  return "nothing changes"
}

// Enough for everything that a person reads; more says how much there is.
const maxLines = 2_000
const maxLineUnits = 1_000

/** The room that is left for the hunks of a preview. */
class Room {
  private lines = maxLines

  fit({ hunks, added, removed }: LineDiff): Pick<FilePreview, "hunks" | "added" | "removed" | "linesLeftOut"> {
    const shown: Hunk[] = []
    let left = 0
    for (const hunk of hunks) {
      const lines = hunk.lines.slice(0, this.lines).map(cut)
      this.lines -= lines.length
      left += hunk.lines.length - lines.length
      if (lines.length > 0) shown.push({ ...hunk, lines })
    }
    return { added, removed, hunks: shown, ...(left > 0 ? { linesLeftOut: left } : {}) }
  }
}

function cut(line: string): string {
  return line.length <= maxLineUnits
    ? line
    : `${line.slice(0, maxLineUnits)}… ${line.length - maxLineUnits} more characters`
}
