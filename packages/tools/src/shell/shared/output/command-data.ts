import {
  type CapturedStream,
  type CommandOutcome,
  type Isolation,
  type ObservedChanges,
  type StreamOrder,
  sandboxProfiles,
  streamOrder,
  streamRuns,
} from "@haft/contract"
import * as z from "zod"

/** What really confined a command. */
export const isolationSchema = z.strictObject({
  level: z.enum(["namespaces", "vm", "vm-emulated", "container", "profile", "none"]),
  backend: z.string(),
  profile: z.enum([...sandboxProfiles, "none"]),
  network: z.enum(["none", "proxy", "host"]),
  limits: z.strictObject({ enforced_by: z.enum(["cgroup2", "cgroup1", "rlimit", "none"]) }),
  notes: z.array(z.string()).describe("What this sandbox does not hold"),
  unscanned: z.array(z.string()).optional().describe("Folders that were not searched for files that rules deny"),
})

export type IsolationData = z.infer<typeof isolationSchema>

/** The `isolation` field of an output. */
export function isolationField({ limits, notes, unscanned, ...rest }: Isolation): IsolationData {
  const { level, backend, profile, network } = rest
  return {
    ...{ level, backend, profile, network },
    limits: { enforced_by: limits.enforcedBy },
    notes: [...notes],
    ...(unscanned && { unscanned: [...unscanned] }),
  }
}

// An installation writes thousands of files; these are enough to see what happened, the journal has all.
const maxPaths = 100

const paths = z.array(z.string())

/** What a command changed in the workspace; absent when it changed nothing. */
export const changesSchema = z
  .strictObject({
    written: paths,
    deleted: paths,
    unexpected: paths.describe("Changed, but not among the effects that were judged"),
    foreseeable: z.literal(false).optional().describe("False when nobody could list beforehand what would change"),
    protected_created: paths,
    left_out: z.int().min(1).optional().describe("Paths that these lists do not name"),
    complete: z.boolean().describe("False when not everything was compared or can be undone"),
    note: z.string().optional(),
  })
  .optional()

export type ChangesData = z.infer<typeof changesSchema>

/** The `changes` field of an output; nothing when there were none and all was compared. */
export function changesField(changes: ObservedChanges): { readonly changes?: ChangesData } {
  const { written, deleted, unexpected, foreseeable, protectedCreated, complete, note } = changes
  const lists = [written, deleted, unexpected, protectedCreated]
  if (complete && lists.every(({ length }) => length === 0)) return {}
  const leftOut = lists.reduce((sum, { length }) => sum + Math.max(0, length - maxPaths), 0)
  return {
    changes: {
      written: written.slice(0, maxPaths),
      deleted: deleted.slice(0, maxPaths),
      unexpected: unexpected.slice(0, maxPaths),
      ...(foreseeable === false && { foreseeable }),
      protected_created: protectedCreated.slice(0, maxPaths),
      ...(leftOut > 0 && { left_out: leftOut }),
      complete,
      ...(note !== undefined && { note }),
    },
  }
}

export const orderSchema = z
  .array(z.int().min(0))
  .optional()
  .describe("Characters of stdout, then of stderr, then of stdout and so on, in the order in which they were read")

/** The output fields of everything that runs code to its end. */
export const processFields = {
  stdout: z.string(),
  stderr: z.string(),
  order: orderSchema,
  exit_code: z.int().nullable().describe("Null when it did not exit by itself"),
  timed_out: z.boolean(),
  isolation: isolationSchema,
}

/** What every run to the end has in common. */
export interface ProcessOutcome extends KeptOutput {
  readonly exitCode: number | null
  readonly timedOut: boolean
  readonly isolation: Isolation
}

/** These fields of an outcome, with streams that fit into the limit. */
export function processData(outcome: ProcessOutcome, maxBytes: number) {
  return {
    ...fitStreams(outcome, maxBytes),
    exit_code: outcome.exitCode,
    timed_out: outcome.timedOut,
    isolation: isolationField(outcome.isolation),
  }
}

/** The output fields of a command. */
export const commandFields = {
  ...processFields,
  signal: z.string().optional().describe("The signal that ended it"),
  changes: changesSchema,
  refused: z.array(z.string()).optional().describe("Hosts that it was not let go to, each with the reason"),
  ended_processes: z.int().min(1).optional().describe("Processes that it left behind and that were ended with it"),
  survivors: z.array(z.int()).optional().describe("Processes that could not be ended"),
}

const commandSchema = z.strictObject(commandFields)

export type CommandData = z.infer<typeof commandSchema>

/** The data of a command that ran, with streams that fit into the limit. */
export function commandData(outcome: CommandOutcome, maxBytes: number): CommandData {
  const { signal, changes, refused = [], teardown } = outcome
  return {
    ...processData(outcome, maxBytes),
    ...(signal !== undefined && { signal }),
    ...changesField(changes),
    ...(refused.length > 0 && {
      refused: refused.map(({ destination, reason }) => `${destination}: ${reason}`),
    }),
    ...(teardown.ended > 0 && { ended_processes: teardown.ended }),
    ...(teardown.survivors.length > 0 && { survivors: [...teardown.survivors] }),
  }
}

/** Both streams of a program. */
export interface Streams<Stream> {
  readonly stdout: Stream
  readonly stderr: Stream
}

// Room for the words that are where bytes are left out.
const noteBytes = 64

const encoder = new TextEncoder()
const decoder = new TextDecoder("utf-8", { ignoreBOM: true })

/** What the port kept of an output. */
export interface KeptOutput extends Streams<CapturedStream> {
  readonly order?: StreamOrder
  /** A file with all of it, when it did not fit. */
  readonly outputPath?: string
}

/** The texts of both streams, and the order in which they were read. */
export interface FittedOutput extends Streams<string> {
  readonly order?: number[]
}

/**
 * The texts of both streams as head and tail within the limit of both together, with the true number of bytes that were
 * left out. Streams that were not cut and have no file stay whole: the runtime cuts those and keeps the rest.
 */
export function fitStreams({ stdout, stderr, order, outputPath }: KeptOutput, maxBytes: number): FittedOutput {
  const whole = { stdout: stdout.text, stderr: stderr.text, ...(order && { order: [...order] }) }
  if (!stdout.truncated && !stderr.truncated && outputPath === undefined) return whole
  const [out, error] = [encoder.encode(stdout.text), encoder.encode(stderr.text)]
  if (out.length + error.length <= maxBytes) return whole
  const half = Math.floor(maxBytes / 2)
  // A short stream stays whole; what it leaves goes to the long one.
  const fitted = {
    stdout: fit(stdout, out, Math.max(half, maxBytes - error.length)),
    stderr: fit(stderr, error, Math.max(maxBytes - half, maxBytes - out.length)),
  }
  const cut = order && orderOf(order, fitted)
  return { stdout: fitted.stdout.text, stderr: fitted.stderr.text, ...(cut && { order: [...cut] }) }
}

interface Fitted {
  readonly text: string
  /** The index, after the cut, of a place in the text before it. */
  placeOf(place: number): number
}

function fit({ text, totalBytes, truncated }: CapturedStream, bytes: Uint8Array, maxBytes: number): Fitted {
  if (bytes.length <= maxBytes) return { text, placeOf: (place) => place }
  const part = Math.max(0, Math.floor((maxBytes - noteBytes) / 2))
  const headEnd = characterStart(bytes, part)
  const tailStart = nextCharacterStart(bytes, bytes.length - part)
  const kept = headEnd + (bytes.length - tailStart)
  const left = Math.max(0, (truncated ? totalBytes : bytes.length) - kept)
  const head = decoder.decode(bytes.subarray(0, headEnd))
  const tail = decoder.decode(bytes.subarray(tailStart))
  const fitted = `${head}\n[... ${left} bytes left out ...]\n${tail}`
  return {
    text: fitted,
    placeOf(place) {
      if (place <= head.length) return place
      return Math.max(fitted.length - tail.length, fitted.length - (text.length - place))
    },
  }
}

function orderOf(order: StreamOrder, fitted: Streams<Fitted>): StreamOrder | undefined {
  const before = { stdout: 0, stderr: 0 }
  const runs = streamRuns(order).map(({ stream, length }) => {
    const start = fitted[stream].placeOf(before[stream])
    before[stream] += length
    return { stream, length: fitted[stream].placeOf(before[stream]) - start }
  })
  return streamOrder(runs)
}

function characterStart(bytes: Uint8Array, place: number): number {
  let start = place
  while (start > 0 && isContinuation(bytes[start])) start -= 1
  return start
}

function nextCharacterStart(bytes: Uint8Array, place: number): number {
  let start = place
  while (start < bytes.length && isContinuation(bytes[start])) start += 1
  return start
}

function isContinuation(byte: number | undefined): boolean {
  return byte !== undefined && (byte & 0b1100_0000) === 0b1000_0000
}
