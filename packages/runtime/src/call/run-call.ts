import { type AnyManifest, type Content, type ToolDefinition, ToolError, type ToolResult } from "@haft/contract"
import { codeWords, firstLookalike, hiddenIn } from "@haft/guard"
import { speechOf } from "../dialect/find-row.js"
import type { CallSession } from "../session/call-session.js"
import { type Issue, problemSentences } from "./argument-problems.js"
import { authorize } from "./authorize.js"
import { withHooksAfter } from "./call-hooks.js"
import { type CallRequest, resolve, validate } from "./call-request.js"
import { type CallSignal, turnGate } from "./call-signal.js"
import { type CallGrant, type ContextRequest, createContext, Scope } from "./context.js"
import { errorResult, newProblems, outputResult } from "./envelope.js"
import { CallDraft } from "./record.js"
import { type Bounded, truncate } from "./truncate.js"

/**
 * The way of one call, from name to result. Never throws for a failure of the call: this is the one place
 * that turns errors into envelopes. The order of the lines is a safety property.
 */
export async function runCall(request: CallRequest, session: CallSession): Promise<ToolResult> {
  const turn = turnGate()
  if (turn) await turn
  const draft = new CallDraft(request, session)
  const signal = session.calls.begin(request.signal)
  try {
    // 10 journal and events
    return await draft.settle(await attempt(request, session, draft, signal))
  } finally {
    session.calls.finish(signal)
  }
}

async function attempt(
  request: CallRequest,
  session: CallSession,
  draft: CallDraft,
  signal: CallSignal,
): Promise<ToolResult> {
  const { callId, sideOutputs, startedMs } = draft
  const facts = { callId, sessionId: session.id, startedMs }
  let begun: Parameters<typeof withHooksAfter>[1] | undefined
  try {
    signal.check()

    // 1 resolve, 2 validate
    const { tool, arguments: named, notes, row } = resolve(request, session.registry)
    draft.resolved(tool)
    const { manifest } = tool
    const name = request.dialect ? request.name : manifest.id
    const asked = validate(manifest, named, row)

    // 3 capability, 4 rules, 5 watchdog and hooks, and the person where they ask
    const call = { tool, name, input: asked.input, request, session, draft, signal }
    const { input, grant, notes: said } = await authorize(call)

    // 6 context and the work
    signal.check()
    await draft.begin()
    begun = { callId, manifest, input, signal }
    const loaded = session.registry.load(tool)
    const execute = loaded instanceof Promise ? await loaded : loaded
    const { person = session.person, onEvent } = request
    const running = { tool, session, callId, grant, signal, sideOutputs, person, onEvent }
    const scope = new Scope(running)
    const context = createContext(running, scope)
    const output = await signal.work(execute(input, context as never), manifest.timeoutMs)

    // 7 output and its words, 8 limit
    const bounded = await bound(running, checkOutput(manifest, output, name), { input, request })

    // 9 envelope, with what a language server says about an edit
    const problems = await newProblems(tool, session, scope, sideOutputs)
    const { attachments, state, usage } = sideOutputs
    const result = outputResult(bounded, facts, {
      attachments,
      state,
      usage,
      problems,
      notes: [...notes, ...asked.notes, ...said, ...pathNotes(grant), ...deceptionNotes(tool, bounded.content)],
    })
    return session.hooks ? await withHooksAfter(session, begun, result) : result
  } catch (error) {
    const result = errorResult(error, facts, speechOf(request, session), sideOutputs.usage)
    return begun && session.hooks ? withHooksAfter(session, begun, result) : result
  }
}

/** The output in words, cut at the limit; the whole goes to a file. */
function bound(
  { tool, session, callId, sideOutputs }: ContextRequest,
  output: Readonly<Record<string, unknown>>,
  { input, request }: { readonly input: Readonly<Record<string, unknown>>; readonly request: CallRequest },
): Bounded | Promise<Bounded> {
  return truncate(output, {
    limit: tool.manifest.limit,
    max: session.limitOf(tool),
    present: (data) => tool.present(data, input),
    sidecar: sideOutputs.sidecar,
    keep: (whole) => session.ports.writeSidecar(callId, whole),
    reader: request.dialect && (() => speechOf(request, session).tool("read") ?? null),
  })
}

function pathNotes({ meanings }: CallGrant): readonly string[] {
  if (meanings === undefined) return []
  return [...meanings].map(([spelled, meant]) => `the path "${spelled}" was taken as "${meant}"`)
}

/** Output that fits the tool's schema. A tool that lies is a defect and is reported as one, under the name that was called. */
function checkOutput(manifest: AnyManifest, output: unknown, name: string): Readonly<Record<string, unknown>> {
  const parsed = manifest.output.safeParse(output)
  if (parsed.success) return parsed.data
  const problems = problemSentences(parsed.error.issues as readonly Issue[], output)
  throw new ToolError("internal", `Cannot use the result of "${name}": it is something else than the tool promises`, {
    hint: "This is a defect of the tool, not of the call: go on without it",
    details: { tool: manifest.id, problems },
  })
}

/**
 * What a person would read differently in the result of a command or in a page: characters that are not seen, and words
 * that only look Latin. Somebody else wrote these texts, perhaps to hide something in them.
 */
function deceptionNotes({ manifest }: ToolDefinition, content: () => readonly Content[]): readonly string[] {
  if (manifest.kind !== "execute" && manifest.kind !== "fetch") return []
  const said = content().flatMap((part) => (part.type === "text" ? [part.text] : []))
  const odd = said.filter((text) => !ordinary.test(text)).join("\n")
  if (odd === "") return []
  const hidden = [...hiddenIn(odd)].filter(([code]) => code !== softHyphen)
  const lookalike = firstLookalike(odd)
  return [
    ...(hidden.length === 0 ? [] : [`the text holds characters that a person does not see: ${listed(hidden)}`]),
    ...(lookalike === undefined
      ? []
      : [`in "${lookalike.word}" the letter ${lookalike.letter} is ${codeWords(lookalike.code)} and only looks Latin`]),
  ]
}

// Most texts are plain and looked at no further.
const ordinary = /^[\t\n\x20-\x7e]*$/
// Pages are full of them, and they say only where a word may be cut.
const softHyphen = 0xad
const maxListed = 5

function listed(hidden: readonly (readonly [number, number])[]): string {
  const shown = hidden
    .slice(0, maxListed)
    .map(([code, count]) => `${codeWords(code)}${count === 1 ? "" : ` (${count})`}`)
  return hidden.length > maxListed ? `${shown.join(", ")} and ${hidden.length - maxListed} more` : shown.join(", ")
}
