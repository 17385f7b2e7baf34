import { once } from "node:events"
import { open, readdir } from "node:fs/promises"
import { dirname, join } from "node:path"
import {
  bestEffort,
  type Envelope,
  type Ladder,
  type Projection,
  type SessionEvent,
  type ToolResult,
} from "@haft/contract"
import { visible, visibleLine } from "@haft/guard"
import { temporaryIn } from "@haft/host"
import type { Say } from "@haft/language"
import type { Haft } from "../library/create-haft.js"
import type { Session } from "../library/session.js"
import type { Run } from "./command.js"
import { exitCodeOfEnvelope, exitCodes } from "./exit-code.js"
import { explainWords } from "./explain.js"
import type { Invocation } from "./invocation.js"
import type { Io } from "./io.js"
import { openHaft } from "./open-haft.js"
import { personStep } from "./person-step.js"
import { note, printText, printValue } from "./print.js"
import { type SpokenTool, spokenTool } from "./spoken-tool.js"
import { type CallSession, openCallSession } from "./terminal-session.js"
import { toolArguments } from "./tool-arguments.js"

/** `haft call`: one tool call through the whole ladder. */
export const run: Run = async (invocation, io) => {
  const [name, ...words] = invocation.operands
  const isDry = invocation.flag("dry-run")
  const tool = await spokenTool(invocation, io, name!, { mayBeUnknown: !isDry })
  const input = tool.isKnown === false ? {} : await toolArguments(tool, words, invocation.text("args"), io)
  if (isDry) return dryRun(invocation, io, tool, input)

  const onEvent = (event: SessionEvent) => tell(event, invocation, io)
  const opened = await openHaft(invocation, io, { touchesFiles: true, tool, onEvent })
  const { haft } = opened
  try {
    const { session, of } = await openCallSession(invocation, io, opened)
    try {
      if (of === "name") await warnDamaged(haft, session.id, invocation, io)
      const options = {
        ...(io.signal ? { signal: io.signal } : {}),
        ...(invocation.flag("yes") ? { answer: "once" as const } : {}),
      }
      const { result, projection } = tool.dialect
        ? await session.callIn(tool.dialect, tool.name, input, options)
        : { result: await session.result(tool.name, input, options), projection: undefined }
      const step = result.envelope.type === "error" ? nextStep(result.envelope, tool, invocation.say) : undefined
      if (projection) printProjection(result, { ...projection, step }, invocation, io)
      else await printResult(result, step, invocation, io)
      if (await outlivesCall(tool)) noteJob(result, invocation, io)
      // What was shortened for a model is printed whole.
      const isWhole = result.whole && !projection && !invocation.json && !invocation.ndjson
      if (!isWhole) noteSidecar(result, of, invocation, io)
      await noteRefused(result, invocation, io)
      if (of === "call") await noteTemporary(session, invocation, io)
      if (io.signal?.aborted) return exitCodes.interrupted
      // What the other system counts as an answer is one here too.
      if (projection?.success && result.envelope.type === "error") return exitCodes.ok
      return exitCodeOfEnvelope(result.envelope, invocation.flag("propagate-exit"))
    } finally {
      // Not closed: sidecars stay readable until the session is removed or a day passes.
      await session.detach()
    }
  } finally {
    await haft.close()
  }
}

/** A program gets every event; a person at a terminal gets what a tool has to say to them. */
function tell(event: SessionEvent, invocation: Invocation, io: Io): void {
  if (invocation.ndjson) io.stdout.write(`${JSON.stringify(event)}\n`)
  else if (event.type === "message" && !invocation.json) {
    const files = event.attachments.map(({ path, size }) => `  ${visibleLine(path)} (${invocation.say`${size} bytes`})`)
    io.stderr.write(`${[visible(event.message), ...files].join("\n")}\n`)
  }
}

async function dryRun(invocation: Invocation, io: Io, tool: SpokenTool, input: unknown): Promise<number> {
  const { explanation, words } = await explainWords(invocation, io, tool, input)
  printValue(invocation, io, explanation, words)
  return explanation.ladder.verdict === "deny" ? exitCodes.denied : exitCodes.ok
}

/** The next step for the person at this terminal. */
function nextStep(envelope: Envelope, { name, dialect }: SpokenTool, say: Say): string | undefined {
  const { hint, details } = envelope.metadata
  const step = personStep(envelope, say)
  if (step !== undefined) return step
  const { ladder } = (details ?? {}) as { ladder?: Ladder }
  if (!ladder) return hint && say(hint)
  if (ladder.verdict === "ask") return undefined
  const call = dialect ? `${name} --dialect ${dialect.name}` : name
  return say`See why with: haft explain ${call} and the same arguments`
}

interface Projected extends Projection {
  readonly step: string | undefined
}

/** The result as another system has it: one JSON value, or its text. */
function printProjection({ envelope }: ToolResult, projection: Projected, invocation: Invocation, io: Io): void {
  warnUnrecorded(envelope, invocation, io)
  if (invocation.ndjson) return
  if (invocation.json) printValue(invocation, io, projection.value, () => "")
  else if (envelope.type === "error" && !projection.success)
    printFailure(envelope.error_text, projection.step, invocation, io)
  else printText(io, typeof projection.value === "string" ? projection.value : projection.text)
}

/** A job that is said to run must not be looked for afterwards: nobody is left who could hold it. */
async function outlivesCall({ name, source }: SpokenTool): Promise<boolean> {
  const { loadTool } = await import("@haft/tools")
  return source === "builtin" && (await loadTool(name))?.manifest.outlivesCall === true
}

function noteJob({ envelope }: ToolResult, invocation: Invocation, io: Io): void {
  if (envelope.type !== "output") return
  note(invocation, io, "note: a job ends with the process that started it, which is this command")
}

/** The file of a long output belongs to its session: another one, as the next command may be, cannot read it. */
function noteSidecar(
  { envelope: { metadata } }: ToolResult,
  of: CallSession["of"],
  invocation: Invocation,
  io: Io,
): void {
  if (metadata.output_path === undefined) return
  const session = of === "terminal" ? "" : ` --session ${metadata.session_id}`
  note(
    invocation,
    io,
    `note: more of the output can be read for a day with: haft read ${metadata.output_path}${session}`,
  )
}

/** A person who writes to /tmp may look for it there: it was the session's own, and is gone with this call. */
async function noteTemporary({ id, scratch }: Session, invocation: Invocation, io: Io): Promise<void> {
  const folder = temporaryIn(dirname(scratch))
  for (const entry of (await bestEffort("a note is not worth a failure", readdir(folder, { withFileTypes: true }))) ??
    []) {
    // A workspace below /tmp leaves an empty folder there.
    const isEmpty =
      entry.isDirectory() &&
      (await bestEffort("a note is not worth a failure", readdir(join(folder, entry.name))))?.length === 0
    if (isEmpty) continue
    return note(
      invocation,
      io,
      `note: what was written to /tmp was there for this call alone, and is gone; it lasts in calls with: --session ${id}`,
    )
  }
}

/** The flag that would let a command reach the hosts that it was refused; the result has the reason. */
async function noteRefused({ envelope }: ToolResult, invocation: Invocation, io: Io): Promise<void> {
  const data = envelope.type === "output" ? (envelope.data as { readonly refused?: unknown } | null) : undefined
  if (!Array.isArray(data?.refused)) return
  const { flagFor } = await import("@haft/guard")
  for (const refused of data.refused) {
    const pattern = /^(\S+:\d+): /.exec(String(refused))?.[1]
    if (pattern === undefined) continue
    const flag = flagFor({ permission: "net.fetch", pattern: pattern.replace(/:443$/, ""), action: "allow" })
    note(invocation, io, `note: to let it reach ${visibleLine(pattern)}: ${visibleLine(flag)}`)
  }
}

/** A session goes on although its earlier records were changed; the user is warned. */
async function warnDamaged(haft: Haft, id: string, { say }: Invocation, io: Io): Promise<void> {
  const report = await (await haft.store()).verify(id)
  if (report.ok) return
  const why = visibleLine(say(report.message))
  const words = say`warning: the journal of this session fails its check at record ${report.seq} (${report.failure}): ${why}; see haft session verify ${id}`
  io.stderr.write(`${words}\n`)
}

/** Said in every form, also where the envelope has it: the call has happened and the journal does not know. */
function warnUnrecorded({ metadata: { unrecorded } }: Envelope, { say }: Invocation, io: Io): void {
  if (unrecorded === undefined) return
  io.stderr.write(`${say`warning: this call is not in the journal: ${visible(say(unrecorded))}`}\n`)
}

/** The step is in the language of the person already. */
function printFailure(message: string, step: string | undefined, { say }: Invocation, io: Io): void {
  io.stderr.write(`${say`error:`} ${visible(say(message))}\n`)
  if (step !== undefined) io.stderr.write(`  ${visible(step)}\n`)
}

async function printResult(
  result: ToolResult,
  step: string | undefined,
  invocation: Invocation,
  io: Io,
): Promise<void> {
  const { envelope, content, attachments } = result
  warnUnrecorded(envelope, invocation, io)
  if (invocation.ndjson) return
  if (invocation.json) {
    printValue(invocation, io, envelope, () => "")
    return
  }
  if (envelope.type === "error") {
    printFailure(envelope.error_text, step, invocation, io)
    return
  }
  const texts = (result.whole?.() ?? content).flatMap((part) => (part.type === "text" ? [part.text] : []))
  const { truncated, output_path: path } = envelope.metadata
  // What a command printed is all in the file, and a person gets all of it; the other texts are about it.
  const isInFile = truncated && result.whole !== undefined && path !== undefined && (await printFile(path, io))
  printText(io, (isInFile ? texts.slice(1) : texts).join("\n"))
  for (const { mediaType, name } of attachments) note(invocation, io, `attachment for the model: ${name ?? mediaType}`)
}

/** Prints the file of a long output as a terminal would show it; false when it cannot be read. */
async function printFile(path: string, io: Io): Promise<boolean> {
  const handle = await bestEffort("the caller prints the shortened text instead", open(path))
  if (handle === undefined) return false
  const { loadCleanOutput } = await import("@haft/tools")
  const cleanOutput = await loadCleanOutput()
  let rest = ""
  for await (const piece of handle.createReadStream({ encoding: "utf8", highWaterMark: pieceBytes })) {
    rest += piece as string
    // Whole lines, so that no control sequence is cut; a very long line is not held back.
    const end = rest.length > 2 * pieceBytes ? rest.length : rest.lastIndexOf("\n") + 1
    await write(io, cleanOutput(rest.slice(0, end)).text)
    rest = rest.slice(end)
    if (io.signal?.aborted) return true
  }
  printText(io, cleanOutput(rest).text)
  return true
}

const pieceBytes = 1024 * 1024

/** Waits for a reader that is slower than the file; Ctrl-C ends that too. */
async function write(io: Io, text: string): Promise<void> {
  const shown = io.stdout.isTTY ? visible(text) : text
  if (io.stdout.write(shown)) return
  await once(io.stdout, "drain", io.signal ? { signal: io.signal } : {}).catch((error: unknown) => {
    if (!io.signal?.aborted) throw error
  })
}
