import type { PermissionOption, RequestPermissionRequest } from "@agentclientprotocol/sdk/unstable"
import type { AskAnswer, AskRequest } from "@haft/contract"
import { formatRule, visible, visibleLine } from "@haft/guard"
import type { CallSession } from "@haft/runtime"
import { callWords, fieldsOf } from "../tool/call-words.js"
import { type DiffSource, previewDiffs } from "../tool/diff.js"
import { textContent } from "../tool/terminal.js"

/** How an ask is put to the person. */
export interface AskContext {
  readonly sessionId: string
  readonly session: CallSession
  readonly diffs: DiffSource
  /** Whether the person can be shown a form in which to edit the arguments. */
  readonly canEdit: boolean
}

/** The permission request of an ask: what would happen, why it is asked, and each answer with what it would save. */
export function permissionRequest(ask: AskRequest, context: AskContext): RequestPermissionRequest {
  const { sessionId, session, diffs } = context
  const { callId, tool, preview = {}, ladder, askedBefore } = ask
  const shown = previewDiffs(preview.files ?? [], diffs)
  return {
    sessionId,
    toolCall: {
      toolCallId: callId,
      // The person decides about what runs, not about what the model says that it is for.
      ...callWords(session, tool, { ...fieldsOf(ask.arguments), description: undefined }),
      status: "pending",
      rawInput: ask.arguments,
      content: [...shown, ...textContent(factLines(ask).join("\n"))],
    },
    options: permissionOptions(ask, context),
    _meta: { haft: { ladder, preview, ...(askedBefore !== undefined && { askedBefore }) } },
  }
}

const uncut = Number.POSITIVE_INFINITY

function permissionOptions({ offers, proposal }: AskRequest, { canEdit }: AskContext): PermissionOption[] {
  // What is kept for other calls is never shown in part.
  const rule = proposal ? visibleLine(formatRule(proposal.rule), uncut) : ""
  const options: readonly (PermissionOption & { readonly optionId: AskAnswer["answer"] | typeof rejectAlways })[] = [
    { optionId: "once", kind: "allow_once", name: "Allow once" },
    { optionId: "session", kind: "allow_always", name: `Allow in this session: ${rule}` },
    { optionId: "project", kind: "allow_always", name: `Always allow in this project: ${rule}` },
    { optionId: "accept-edits", kind: "allow_always", name: "Accept edits in this session" },
    { optionId: "edit", kind: "allow_once", name: "Edit the arguments first" },
    { optionId: "reject", kind: "reject_once", name: "Reject" },
    { optionId: rejectAlways, kind: "reject_always", name: `Reject in this session: ${rule}` },
  ]
  return options.filter(({ optionId }) => {
    if (optionId === "edit" && !canEdit) return false
    if (optionId === rejectAlways) return proposal !== undefined
    return optionId === "reject" || offers.includes(optionId)
  })
}

/** The option that refuses this call and those like it, until the session ends. */
export const rejectAlways = "reject-always"

const maxEffects = 8

function factLines(ask: AskRequest): readonly string[] {
  const { tool, ladder, preview = {}, proposal, askedBefore } = ask
  const rung = ladder.rungs.find(({ verdict }) => verdict === "ask")
  const effects = ladder.findings.filter(({ permission }) => permission !== tool)
  const shown = effects.slice(0, maxEffects).map(({ permission, subject }) => `${permission} ${visibleLine(subject)}`)
  const { command, hosts = [], problem, missing } = preview
  const covers = proposal && `${visibleLine(proposal.matches, uncut)}, not ${visibleLine(proposal.differs, uncut)}`
  return [
    `Why asked: ${visibleLine(rung?.reason ?? ladder.reason, 500)}`,
    ...(shown.length > 0 ? [`Effects: ${shown.join(", ")}${effects.length > shown.length ? ", …" : ""}`] : []),
    ...(command ? [`Sandbox: ${command.profile}, ${command.hosts.join(", ") || "no network"}`] : []),
    ...(command?.script === undefined ? [] : [`Runs:\n${visible(command.script)}`]),
    ...(hosts.length > 0 ? [`Goes to: ${hosts.map(({ host }) => visibleLine(host)).join(", ")}`] : []),
    ...(problem === undefined ? [] : [`It would fail now: ${visibleLine(problem, 500)}`]),
    ...(missing === undefined ? [] : [`What it would change cannot be shown: ${visibleLine(missing, 500)}`]),
    ...(covers ? [`A saved answer covers ${covers}`] : []),
    ...(askedBefore === undefined ? [] : [`Asked before: ${visibleLine(askedBefore, 500)}`]),
  ]
}
