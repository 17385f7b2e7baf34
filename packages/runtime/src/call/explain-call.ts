import type { CallPart, Ladder } from "@haft/contract"
import type { CallSession } from "../session/call-session.js"
import type { CallRequest } from "./call-request.js"
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
  request: Pick<CallRequest, "name" | "arguments" | "dialect">,
  session: CallSession,
): Promise<Explanation> {
  session.calls.check()
  const { tool, arguments: named } = resolve(request, session.registry)
  const { input } = validate(tool.manifest, named, request.dialect && request.name)
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
