import {
  type AnyManifest,
  type AskPreview,
  type CallPart,
  hintWords,
  type Ladder,
  type RequirementSet,
  type ToolDefinition,
} from "@haft/contract"
import { expandHosts } from "@haft/guard"
import { speechOf } from "../dialect/find-row.js"
import type { CallSession } from "../session/call-session.js"
import { type CallRequest, hashOf, resolve, validate } from "./call-request.js"
import { CallFacts } from "./ladder/call-facts.js"
import { evaluate } from "./ladder/evaluate.js"
import type { EvaluateRequest } from "./ladder/evaluated.js"
import { previewCall } from "./preview.js"

/** Why a call would be allowed, asked about or refused. */
export interface Explanation {
  readonly tool: string
  readonly arguments: unknown
  readonly ladder: Ladder
  readonly parts: readonly CallPart[]
  /** The hosts that the tool's variables mean in this session. */
  readonly hosts?: readonly string[]
  /** What it would do; only where that was asked for. */
  readonly preview?: AskPreview
  /** What a model can do instead, where that is known. */
  readonly hint?: string
  /** What the user can do about a refusal that no rule could lift. */
  readonly fix?: string
}

/** Takes a call up the ladder and stops there: nothing runs and nothing is asked. Throws for a call that cannot be judged. */
export async function explainCall(
  asked: Pick<CallRequest, "name" | "arguments" | "dialect">,
  session: CallSession,
  options: { readonly preview?: boolean } = {},
): Promise<Explanation> {
  session.calls.check()
  const { tool, arguments: named, row } = resolve(asked, session.registry)
  const { input } = validate(tool.manifest, named, row)
  const world = new CallFacts(session, false)
  const { person } = session
  const request = {
    tool,
    input,
    session,
    person,
    world,
    approved: false,
    argumentsHash: hashOf(input),
    fromModel: false,
    ...unasked(tool, session),
  }
  const evaluated = await evaluate(request)
  const { ladder, parts, hint, fix } = evaluated
  const words = hintWords(hint, speechOf(asked, session))
  const isRefused = ladder.verdict === "deny" && ladder.rungs.at(-1)?.rung !== "person"
  const { preview } = options.preview && !isRefused ? await previewCall({ ...request, signal: never }, evaluated) : {}
  return {
    ...{ tool: tool.manifest.id, arguments: input, ladder, parts },
    ...hostsOf(tool.manifest, session),
    ...(preview ? { preview } : {}),
    ...(words === undefined ? {} : { hint: words }),
    ...(fix === undefined ? {} : { fix }),
  }
}

/** Nothing runs here, so hooks are only named. */
function unasked({ manifest }: ToolDefinition, { hooks }: CallSession): Pick<EvaluateRequest, "hooks"> {
  const count = hooks?.countBefore(manifest) ?? 0
  if (count === 0) return {}
  const reason = `${count === 1 ? "1 hook is" : `${count} hooks are`} asked when the call is made`
  return { hooks: async () => ({ verdict: "skipped", reason, notes: [] }) }
}

function hostsOf({ requires }: AnyManifest, { variables }: CallSession): Pick<Explanation, "hosts"> {
  const { hosts = [] } = (requires as RequirementSet).net ?? {}
  return hosts.some((host) => host.startsWith("{")) ? { hosts: expandHosts(hosts, variables) } : {}
}

const never = new AbortController().signal
