import { type CallPart, hintWords, type Ladder } from "@haft/contract"
import type { CallSession } from "../session/call-session.js"
import type { CallRequest } from "./call-request.js"
import { hashOf } from "./hash-of.js"
import { climb } from "./ladder/climb.js"
import { resolve } from "./resolve.js"
import { speechOf } from "./speech.js"
import { validate } from "./validate.js"

/** Why a call would be allowed, asked about or refused. */
export interface Explanation {
  readonly tool: string
  readonly arguments: unknown
  readonly ladder: Ladder
  readonly parts: readonly CallPart[]
  /** What a model can do instead, where that is known. */
  readonly hint?: string
  /** What the user can do about a refusal that no rule could lift. */
  readonly fix?: string
}

/** Takes a call up the ladder and stops there: nothing runs and nothing is asked. Throws for a call that cannot be judged. */
export async function explainCall(
  request: Pick<CallRequest, "name" | "arguments" | "dialect">,
  session: CallSession,
): Promise<Explanation> {
  session.calls.check()
  const { tool, arguments: named, row } = resolve(request, session.registry)
  const { input } = validate(tool.manifest, named, row)
  const { ladder, parts, hint, fix } = await climb({
    tool,
    input,
    session,
    approved: false,
    argumentsHash: hashOf(input),
    fromModel: false,
  })
  const words = hintWords(hint, speechOf(request, session))
  return {
    tool: tool.manifest.id,
    arguments: input,
    ladder,
    parts,
    ...(words === undefined ? {} : { hint: words }),
    ...(fix === undefined ? {} : { fix }),
  }
}
