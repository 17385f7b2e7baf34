import type { Envelope, Ladder } from "@haft/contract"
import type { Say } from "@haft/language"

/** What only the person who started the command can do about a failure: what an error says to the model is for a model. */
export function personStep({ metadata }: Envelope, say: Say): string | undefined {
  const { fix, ladder } = (metadata.details ?? {}) as { fix?: string | readonly string[]; ladder?: Ladder }
  if (fix !== undefined) return typeof fix === "string" ? say(fix) : say`Run: ${fix.join("; ")}`
  // The person has just said no.
  if (ladder?.verdict === "ask") return undefined
  return ladder?.flag === undefined ? undefined : say`Allow it with ${ladder.flag}`
}
