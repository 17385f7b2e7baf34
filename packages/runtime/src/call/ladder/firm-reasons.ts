import { type CommandAnalysis, isWriteFree, type ModeOutcome, runsUnconfined } from "@haft/guard"
import type { EvaluateRequest } from "./evaluate.js"

/** Why a person is asked about a command although rules allow it, where no rule settles that. */
export async function firmReasons(
  request: EvaluateRequest,
  analysis: CommandAnalysis,
  verdict: ModeOutcome["verdict"],
): Promise<readonly string[]> {
  const outside = isOutside(request, analysis) ? [outsideReason] : []
  if (request.approved) return outside
  const unmasked = verdict === "allow" ? await unmaskedReasons(request, analysis) : []
  return [...outside, ...(await printableReasons(request, analysis)), ...unmasked]
}

/** Whether the user's configuration lets this command run outside the sandbox. */
export function isOutside({ session }: EvaluateRequest, analysis: CommandAnalysis | undefined): boolean {
  return analysis !== undefined && session.mode !== "plan" && runsUnconfined(analysis, session.unconfined)
}

// First in the list, and asked every time: no rule can settle it.
const outsideReason = "outside the sandbox: your configuration lists this command as unconfined"

async function unmaskedReasons({ session, world }: EvaluateRequest, analysis: CommandAnalysis) {
  if (!session.confines) return []
  const { unmasked } = await world.workspace(session.mode !== "plan" && !isWriteFree(analysis))
  return unmasked.length === 0 ? [] : [`the sandbox cannot hide every denied file: ${unmasked.join("; ")}`]
}

async function printableReasons({ world }: EvaluateRequest, analysis: CommandAnalysis) {
  const name = await world.printableSecret(analysis)
  return name === undefined ? [] : [`it can print ${name} from what git keeps, and rules deny reading that`]
}
