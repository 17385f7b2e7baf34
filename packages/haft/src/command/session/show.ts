import type { CallRecord, RecordedAnswer } from "@haft/contract"
import type { Style } from "../../terminal/style.js"
import { visibleLine } from "../../terminal/visible.js"
import type { Run } from "../command.js"
import { exitCodes } from "../exit-code.js"
import { printValue } from "../print.js"
import { sessionNamed, withStore } from "./with-store.js"

/** `haft session show`: what happened, call by call. */
export const run: Run = async (invocation, io) => {
  const { session, calls } = await withStore(invocation, io, async (store) => {
    const found = await sessionNamed(store, invocation.operands[0]!)
    return { session: found, calls: await store.calls(found.id) }
  })
  printValue(invocation, io, { session, calls }, (style) => {
    const head = `${style.bold(session.id)}  ${visibleLine(session.directory)}  since ${new Date(session.createdAt).toISOString()}`
    return [head, ...(calls.length === 0 ? ["no calls"] : calls.map((call) => callLines(call, style)))].join("\n")
  })
  return exitCodes.ok
}

function callLines(call: CallRecord, style: Style): string {
  const time = new Date(call.startedAt).toISOString().slice(11, 19)
  const lines = [
    `${time}  ${style.bold(call.tool)}  ${visibleLine(JSON.stringify(call.arguments ?? call.rawArguments), 120)}  ${style.dim(call.callId)}`,
  ]
  lines.push(`          ${call.ladder.verdict}: ${visibleLine(whyDecided(call))}`)
  for (const answer of call.answers ?? []) lines.push(`          ${visibleLine(answerWords(answer))}`)
  for (const effect of call.effects) {
    if (effect.kind === "fs.read") continue
    const subject = effect.kind === "net.fetch" ? effect.host : effect.path
    const refused = effect.kind === "net.fetch" && effect.refused !== undefined ? `  refused: ${effect.refused}` : ""
    lines.push(`          ${effect.kind} ${visibleLine(`${subject}${refused}`)}`)
  }
  lines.push(`          ${outcome(call, style)}`)
  return lines.join("\n")
}

const answerers = { person: "a person", caller: "the caller, in advance", nobody: "nobody" } as const

function answerWords({ answer, by, rule, reason }: RecordedAnswer): string {
  const kept = rule === undefined ? "" : `, keeping ${rule}`
  return `answer ${answer} by ${answerers[by]}${kept}${reason === undefined ? "" : `: ${reason}`}`
}

/** The reason of an answered call is why it was asked about; what let it through is the answer. */
function whyDecided({ ladder: { verdict, reason, rungs } }: CallRecord): string {
  const last = rungs.at(-1)
  return verdict === "allow" && last?.rung === "person" ? `${last.reason} (${reason})` : reason
}

function outcome({ envelope }: CallRecord, style: Style): string {
  if (!envelope) return style.yellow("not finished")
  const took = `${Math.round(envelope.metadata.duration_ms)} ms`
  if (envelope.type === "output")
    return `${style.green("output")} after ${took}${envelope.metadata.truncated ? ", truncated" : ""}`
  return `${style.red(`error ${envelope.metadata.error_code ?? ""}`.trim())} after ${took}: ${visibleLine(envelope.error_text)}`
}
