import { authorities, type Finding, type Ladder, ruleScopes } from "@haft/contract"
import { visibleLine } from "@haft/guard"
import { reasonWords } from "@haft/language"
import { columns } from "./columns.js"
import type { Style } from "./style.js"

/** A judged call; the steps are what a model can do instead, and what the user can do. */
interface Explained {
  readonly tool: string
  readonly ladder: Ladder
  readonly hint?: string
  readonly fix?: string
}

/** A judged call as people read it: every rung, then every head and effect with the rule that decided. */
export function ladderText({ tool, ladder, hint, fix }: Explained, style: Style, remedySpecificity?: number): string {
  const rungs = ladder.rungs.map(({ rung, verdict, reason, source }) => [
    `  ${rung}`,
    verdictWord(verdict, style),
    visibleLine(`${reasonWords(reason, ladder, style.say)}${source ? ` (${source})` : ""}`),
  ])
  return [
    `${style.bold(tool)}: ${verdictWord(ladder.verdict, style)}, ${visibleLine(reasonWords(ladder.reason, ladder, style.say))}`,
    "",
    style.say`Ladder`,
    columns(rungs),
    ...(ladder.findings.length > 0
      ? ["", style.say`Decided by`, ...ladder.findings.flatMap((finding) => findingLines(finding, style))]
      : []),
    ...(ladder.verdict === "allow"
      ? []
      : ["", remedyLine(ladder, style, { specificity: remedySpecificity, step: fix ?? hint })]),
  ].join("\n")
}

function findingLines({ permission, subject, verdict, decided, beaten }: Finding, style: Style): readonly string[] {
  const { say } = style
  const lines = [`  ${style.bold(permission)} ${visibleLine(subject)}: ${verdictWord(verdict, style)}`]
  if (decided) {
    const strength = say`specificity ${decided.specificity}, authority ${authorityWords(decided.authority)}, from ${visibleLine(decided.source)}`
    const rule = say`rule ${decided.rule.action} ${visibleLine(decided.text)}`
    lines.push(`    ${rule}  ${decided.final ? say`${strength}, final` : strength}`)
    if (decided.rule.why) lines.push(`    ${say`why`}  ${visibleLine(say(decided.rule.why))}`)
  } else if (verdict === "silent")
    lines.push(`    ${say`no rule speaks about it; what nothing settles asks (built in, specificity 0, authority 0)`}`)
  for (const { text, specificity, authority, source, because } of beaten) {
    const strength = say`specificity ${specificity}, authority ${authorityWords(authority)}, from ${visibleLine(source)}`
    lines.push(style.dim(`    ${say`beat ${visibleLine(text)}`}  ${strength}: ${say(because)}`))
  }
  return lines
}

function authorityWords(authority: number): string {
  const scope = ruleScopes[authority]
  return scope ? `${authority} (${scope})` : String(authority)
}

function remedyLine(
  { flag, rungs, findings }: Ladder,
  { say }: Style,
  { specificity, step }: { readonly specificity: number | undefined; readonly step: string | undefined },
): string {
  if (flag) {
    const authority = authorityWords(authorities.flag)
    return specificity === undefined
      ? say`Would allow it: ${flag}  (authority ${authority})`
      : say`Would allow it: ${flag}  (specificity ${specificity}, authority ${authority})`
  }
  if (step !== undefined) return say`No rule allows it. ${visibleLine(say(step), 1000)}`
  const isAsked = rungs.some(({ rung, verdict }) => rung !== "person" && verdict === "ask")
  const isDenied = findings.some(({ verdict }) => verdict === "deny")
  // What only a person may answer, each time, is answered by the one who types the call.
  if (isAsked && !isDenied) return say`Only a person allows it, each time: at a terminal, or with --yes of haft call`
  return say`No flag allows it`
}

function verdictWord(verdict: string, { say, red, yellow, green }: Style): string {
  switch (verdict) {
    case "deny":
      return red(say`deny`)
    case "ask":
      return yellow(say`ask`)
    case "allow":
      return green(say`allow`)
    case "pass":
      return say`pass`
    case "silent":
      return say`silent`
    default:
      return verdict
  }
}
