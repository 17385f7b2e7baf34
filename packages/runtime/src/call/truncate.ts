import { type Content, type OutputLimit, type TextLimit, text } from "@haft/contract"
import { shorten } from "./shorten.js"

// How much of the model's text is in `data.head` of a truncated output.
const headBytes = 8_000

type Data = Readonly<Record<string, unknown>>

/** An output within its limit. */
export interface Bounded {
  readonly data: Data
  /** Worded when somebody asks: a caller that takes only the data does not pay for the words. */
  readonly content: () => readonly Content[]
  readonly truncated: boolean
  readonly outputPath?: string
  /** The content before its first text was shortened, where it was. */
  readonly whole?: () => readonly Content[]
}

/** What is needed to bound an output. */
export interface TruncateOptions {
  readonly limit: OutputLimit
  /** The effective maximum: the manifest's, or the host's. */
  readonly max: number
  readonly present: (data: Data) => readonly Content[]
  /** A file that already has the whole output, where the tool wrote one itself. */
  readonly sidecar?: string | undefined
  /** Writes the whole text and returns its path. */
  readonly keep: (text: string) => Promise<string>
  /** The name under which the caller knows the tool that opens files; null where it has none. `read` by default. */
  readonly reader?: (() => string | null) | undefined
}

/** Cuts an output at its limit, and its text at the limit for texts; the whole goes to a file that `read` can open. */
export function truncate(data: Data, options: TruncateOptions): Bounded | Promise<Bounded> {
  const { limit, max, present, sidecar } = options
  const cut = limit.past === "sidecar" ? cutAt(data, limit, max) : undefined
  if (sidecar !== undefined) return cutByTool(cut?.data ?? data, sidecar, options)
  if (cut) return keepWhole(data, cut, options)
  if (limit.past === "sidecar" && limit.unit === "bytes" && limit.text && mayBeLong(data, limit.fields, limit.text)) {
    return keepText(data, limit.text, options)
  }
  return { data, content: () => present(data), truncated: false }
}

/**
 * Marks between the streams make a text longer than its fields, by no more than half of the limit. Where no field is named
 * the words themselves say it.
 */
function mayBeLong(data: Data, fields: readonly string[], { maxCharacters }: TextLimit): boolean {
  if (fields.length === 0) return true
  const characters = fields.reduce((sum, field) => sum + String(data[field] ?? "").length, 0)
  return characters > maxCharacters / 2
}

/** Only the text is too long: the data stays whole. */
async function keepText(data: Data, limit: TextLimit, options: TruncateOptions): Promise<Bounded> {
  const { present, keep } = options
  const shown = present(data)
  const short = shorten(shown, limit)
  if (short === undefined) return { data, content: () => shown, truncated: false }
  const outputPath = await keep(textOf(shown))
  const note = text(`[Shortened: ${short.words}, all of them are in ${outputPath}${opened(options)}]`)
  return { data, content: () => [...short.content, note], truncated: false, outputPath, whole: () => shown }
}

async function keepWhole(data: Data, cut: Cut, options: TruncateOptions): Promise<Bounded> {
  const { limit, present, keep } = options
  // Checking and wording a long output take some milliseconds each; other work that waits for the loop gets a turn in between.
  await new Promise((resume) => setImmediate(resume))
  const outputPath = await keep(textOf(present(data)))
  const shown = present(cut.data)
  const head = firstBytes(textOf(shown), headBytes)
  // Not "the whole": a search may have stopped before its end, and its own words say so.
  const note = text(`[Truncated: ${cut.words}, all ${cut.total} are in ${outputPath}${opened(options)}]`)
  return { data: { ...notComplete(cut.data), head }, ...shortened(shown, note, limit), truncated: true, outputPath }
}

/** A list that was cut never says that it is complete; the words above were made from what the tool itself said. */
function notComplete(data: Data): Data {
  return data.complete === true ? { ...data, complete: false } : data
}

/** The tool has kept the whole itself, because holding it here would not have been possible. */
function cutByTool(data: Data, outputPath: string, options: TruncateOptions): Bounded {
  const { limit, present } = options
  const shown = present(data)
  const note = text(`[Truncated: more of the output is in ${outputPath}${opened(options)}]`)
  return {
    data: { ...notComplete(data), head: firstBytes(textOf(shown), headBytes) },
    ...shortened(shown, note, limit),
    truncated: true,
    outputPath,
  }
}

function opened({ reader }: TruncateOptions): string {
  const name = reader === undefined ? "read" : reader()
  return name === null ? "" : `; open it with ${name}`
}

/** The words of an output that was cut, within the limit for texts. */
function shortened(shown: readonly Content[], note: Content, limit: OutputLimit): Pick<Bounded, "content" | "whole"> {
  const hasLimit = limit.past === "sidecar" && limit.unit === "bytes" && limit.text !== undefined
  if (!hasLimit) return { content: () => [...shown, note] }
  const { content = shown } = shorten(shown, limit.text!) ?? {}
  return { content: () => [...content, note], whole: () => shown }
}

interface Cut {
  readonly data: Data
  readonly words: string
  /** How many entries or bytes there were. */
  readonly total: number
}

type SidecarLimit = Extract<OutputLimit, { past: "sidecar" }>

function cutAt(data: Data, limit: SidecarLimit, max: number): Cut | undefined {
  return limit.unit === "entries" ? cutEntries(data, limit.field, max) : cutBytes(data, limit, max)
}

function cutEntries(data: Data, field: string, max: number): Cut | undefined {
  const entries = data[field] as readonly unknown[]
  if (entries.length <= max) return undefined
  const total = entries.length
  return { data: { ...data, [field]: entries.slice(0, max) }, words: `${max} of ${total} ${field} are shown`, total }
}

function cutBytes(data: Data, limit: Extract<SidecarLimit, { unit: "bytes" }>, max: number): Cut | undefined {
  const sizes = limit.fields.map((field) => Buffer.byteLength(String(data[field] ?? "")))
  const total = sizes.reduce((sum, size) => sum + size, 0)
  if (total <= max) return undefined
  const shares = shareOut(sizes, max)
  const cut: Record<string, unknown> = { ...data }
  limit.fields.forEach((field, index) => {
    cut[field] = keepPart(String(data[field] ?? ""), shares[index]!, limit.keep)
  })
  return { data: cut, words: `${max} of ${total} bytes are shown`, total }
}

/** Small fields stay whole; what they leave goes to the large ones. */
function shareOut(sizes: readonly number[], max: number): readonly number[] {
  const shares = sizes.map(() => 0)
  const order = sizes.map((_, index) => index).sort((a, b) => sizes[a]! - sizes[b]!)
  let left = max
  order.forEach((field, done) => {
    shares[field] = Math.min(sizes[field]!, Math.floor(left / (order.length - done)))
    left -= shares[field]!
  })
  return shares
}

function keepPart(value: string, bytes: number, keep: "head" | "head-and-tail"): string {
  const whole = Buffer.from(value)
  if (whole.length <= bytes) return value
  if (keep === "head") return firstBytes(value, bytes)
  const half = Math.floor(bytes / 2)
  const head = firstBytes(value, half)
  const tail = lastBytes(whole, half)
  const left = whole.length - Buffer.byteLength(head) - Buffer.byteLength(tail)
  return `${head}\n[... ${left} bytes left out ...]\n${tail}`
}

/** The beginning of a text, cut between characters. */
function firstBytes(value: string, bytes: number): string {
  const whole = Buffer.from(value)
  if (whole.length <= bytes) return value
  let end = bytes
  while (end > 0 && isContinuation(whole[end]!)) end -= 1
  return whole.toString("utf8", 0, end)
}

function lastBytes(whole: Buffer, bytes: number): string {
  let start = whole.length - bytes
  while (start < whole.length && isContinuation(whole[start]!)) start += 1
  return whole.toString("utf8", start)
}

function isContinuation(byte: number): boolean {
  return (byte & 0b1100_0000) === 0b1000_0000
}

function textOf(content: readonly Content[]): string {
  return content.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("\n")
}
