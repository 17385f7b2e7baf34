import { type AskAnswer, type AskRequest, type Person, ToolError } from "@haft/contract"
import type { Climbed, ClimbRequest } from "./ladder/climb.js"
import { proposalFor } from "./proposal-for.js"

/** A call that waits for a person, with what the answer is bound to. */
export interface PendingAsk extends ClimbRequest {
  readonly callId: string
  readonly signal: AbortSignal
}

/** Puts one question for the whole call to the person. A person who cannot be reached rejects. */
export async function ask(pending: PendingAsk, climbed: Climbed, person: Person): Promise<AskAnswer> {
  const { session, tool, input, callId } = pending
  const shown = await contentHashes(pending, climbed)
  const recipe = recipeShown(session, climbed)
  const request = askRequest(pending, climbed, recipe)
  session.emit({ type: "ask", call: callId, request })
  const answer = await person.ask(request, pending.signal).catch((error: unknown) => {
    // A question that nobody waits for any more was not rejected by a person.
    pending.signal.throwIfAborted()
    return unreachable(error)
  })
  session.emit({ type: "answer", call: callId, answer: answer.answer })
  session.askedBefore.add({ tool: tool.manifest.id, arguments: input, answer: answer.answer })
  if (answer.answer !== "reject" && answer.answer !== "edit") {
    await sameContent(pending, climbed, shown)
    if (recipe !== recipeShown(session, climbed)) throw otherRecipe()
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
  recipe: string | undefined,
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
    ...(recipe === undefined ? {} : { recipe }),
  }
}

/** The texts that the commands of the call run, as the person is shown them. */
function recipeShown(session: PendingAsk["session"], { analysis }: Climbed): string | undefined {
  const recipes = analysis?.parts.flatMap(({ recipe }) => recipe ?? []) ?? []
  const texts = new Set(recipes.flatMap((recipe) => session.facts.recipeText(recipe) ?? []))
  return texts.size === 0 ? undefined : [...texts].join("\n")
}

function otherRecipe(): ToolError {
  return new ToolError(
    "conflict",
    "Cannot use the answer: the text that the command runs changed while the question was open",
    {
      hint: "Repeat the call",
    },
  )
}

/** Hashes of the files that the person is shown: the answer holds for them only. */
async function contentHashes(pending: PendingAsk, climbed: Climbed): Promise<ReadonlyMap<string, string | null>> {
  const hashes = new Map<string, string | null>()
  for (const effect of climbed.parts.flatMap((part) => part.effects)) {
    if (effect.kind === "fs.write" && (effect.at.kind === "file" || effect.at.kind === "missing"))
      hashes.set(effect.at.resolved, await pending.session.ports.contentHash(effect.at.resolved))
  }
  return hashes
}

async function sameContent(
  pending: PendingAsk,
  climbed: Climbed,
  shown: ReadonlyMap<string, string | null>,
): Promise<void> {
  const now = await contentHashes(pending, climbed)
  for (const [path, hash] of shown) {
    if (now.get(path) !== hash) {
      throw new ToolError(
        "conflict",
        `Cannot use the answer for "${path}": the file changed while the question was open`,
        {
          hint: "Read the file again and repeat the call",
        },
      )
    }
  }
}
