import type { CallPart, Ladder } from "@haft/contract"
import type { CallSession } from "../session/call-session.js"
import { hashOf } from "./hash-of.js"
import { climb } from "./ladder/climb.js"
import { resolve } from "./resolve.js"
import { validate } from "./validate.js"

/** Why a call would be allowed, asked about or refused. */
export interface Explanation {
  readonly tool: string
  readonly arguments: unknown
  readonly ladder: Ladder
  readonly parts: readonly CallPart[]
  /** The next step after a refusal that no rule could lift. */
  readonly hint?: string
}

/** Takes a call up the ladder and stops there: nothing runs and nothing is asked. Throws for a call that cannot be judged. */
export async function explainCall(
  request: { readonly name: string; readonly arguments: unknown },
  session: CallSession,
): Promise<Explanation> {
  const tool = resolve(request.name, session.registry)
  const input = validate(tool.manifest, request.arguments)
  const { ladder, parts, hint } = await climb({
    tool,
    input,
    session,
    approved: false,
    argumentsHash: hashOf(input),
    fromModel: false,
  })
  return { tool: tool.manifest.id, arguments: input, ladder, parts, ...(hint === undefined ? {} : { hint }) }
}
