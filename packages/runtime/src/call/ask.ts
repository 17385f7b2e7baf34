import { type AskAnswer, type AskPreview, type AskRequest, type Person, ToolError } from "@haft/contract"
import type { CallSession } from "../session/call-session.js"
import type { Climbed, ClimbRequest } from "./ladder/climb.js"
import { previewCall, scriptOf } from "./preview.js"
import { proposalFor } from "./proposal-for.js"

/** A call that waits for a person, with what the answer is bound to. */
export interface PendingAsk extends ClimbRequest {
  readonly callId: string
  readonly signal: AbortSignal
}

/** Puts one question for the whole call to the person. A person who cannot be reached rejects. */
export async function ask(pending: PendingAsk, climbed: Climbed, person: Person): Promise<AskAnswer> {
  const { session, tool, input, callId } = pending
  const { preview, content } = await shownTo(pending, climbed)
  const request = askRequest(pending, climbed, preview)
  session.emit({ type: "ask", call: callId, request })
  const answer = await person.ask(request, pending.signal).catch((error: unknown) => {
    // A question that nobody waits for any more was not rejected by a person.
    pending.signal.throwIfAborted()
    return unreachable(error)
  })
  session.emit({ type: "answer", call: callId, answer: answer.answer })
  session.askedBefore.add({ tool: tool.manifest.id, arguments: input, answer: answer.answer })
  if (answer.answer !== "reject" && answer.answer !== "edit") {
    await sameContent(session, content)
    if (preview?.command?.script !== scriptOf(session, climbed)) throw otherScript()
  }
  return answer
}

function unreachable(error: unknown): AskAnswer {
  const why = error instanceof Error ? error.message : String(error)
  return { answer: "reject", reason: `the question could not be put to a person (${why})` }
}

function askRequest(
  { session, tool, input, callId }: PendingAsk,
  climbed: Climbed,
  preview: AskPreview | undefined,
): AskRequest {
  const proposal = proposalFor(tool, climbed, session)
  const askedBefore = session.askedBefore.describe(tool.manifest.id, input)
  return {
    sessionId: session.id,
    callId,
    tool: tool.manifest.id,
    title: tool.manifest.title,
    arguments: input,
    directory: session.directory,
    ladder: climbed.ladder,
    ...(proposal ? { proposal } : {}),
    ...(askedBefore ? { askedBefore } : {}),
    ...(preview ? { preview } : {}),
  }
}

function otherScript(): ToolError {
  return new ToolError(
    "conflict",
    "Cannot use the answer: the text that the command runs changed while the question was open",
    { hint: "Repeat the call" },
  )
}

/** What the person is shown, and the content of every file in it: the answer holds for that content only. */
async function shownTo(
  pending: PendingAsk,
  climbed: Climbed,
): Promise<{ readonly preview: AskPreview | undefined; readonly content: ReadonlyMap<string, string | null> }> {
  const content = await writtenFiles(pending.session, climbed)
  const { preview, seen } = await previewCall(pending, climbed)
  for (const [path, state] of seen) {
    if (content.has(path) && content.get(path) !== state) throw changed(path)
    content.set(path, state)
  }
  return { preview, content }
}

async function writtenFiles({ ports }: CallSession, { parts }: Climbed): Promise<Map<string, string | null>> {
  const content = new Map<string, string | null>()
  for (const effect of parts.flatMap((part) => part.effects)) {
    if (effect.kind === "fs.write" && (effect.at.kind === "file" || effect.at.kind === "missing"))
      content.set(effect.at.resolved, await ports.contentHash(effect.at.resolved))
  }
  return content
}

async function sameContent({ ports }: CallSession, shown: ReadonlyMap<string, string | null>): Promise<void> {
  for (const [path, state] of shown) if ((await ports.contentHash(path)) !== state) throw changed(path)
}

function changed(path: string): ToolError {
  return new ToolError(
    "conflict",
    `Cannot use the answer for "${path}": the file changed while the question was open`,
    {
      hint: "Read the file again and repeat the call",
    },
  )
}
