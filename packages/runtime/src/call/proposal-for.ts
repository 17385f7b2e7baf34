import type { PlacedRule, Rule, RuleProposal, ToolDefinition } from "@haft/contract"
import { coversSample, joinWords, proposeRule, runsKeptText } from "@haft/guard"
import type { CallSession } from "../session/call-session.js"
import type { ScriptSource } from "../session/facts-of.js"
import type { Evaluated } from "./ladder/evaluated.js"

/** What could be kept of an answer. Nothing for a script whose text is not known: a rule for it would hold for no call. */
export function proposalFor(tool: ToolDefinition, evaluated: Evaluated): RuleProposal | undefined {
  const proposal = evaluated.judgement && proposeRule(tool.manifest.id, evaluated.parts, evaluated.judgement)
  if (!proposal) return undefined
  const scripts = scriptsFor(proposal.rule, evaluated)
  if (scripts.includes(undefined)) return undefined
  return scripts.length === 0 ? proposal : { ...proposal, also: bound }
}

const bound =
  "it holds while the text that is shown stays the same, and asks again when it changes; programs, packages and files that this text loads besides may change"

/** The texts that commands of the call run which a rule covers; undefined for one that is not known. */
export function scriptsFor(
  { permission: name, pattern, action }: Rule,
  { parts, facts }: Evaluated,
): readonly (ScriptSource | undefined)[] {
  // The words alone: whether the text is another one is what the caller wants to know.
  const rule: Rule = { permission: name, action, ...(pattern === undefined ? {} : { pattern }) }
  return parts.flatMap(({ heads }) =>
    heads.flatMap(({ permission, subject, strictOnly }) => {
      if (permission !== name || subject.kind !== "command" || strictOnly) return []
      const { argv, directory } = subject
      if (!runsKeptText(argv) || !coversSample(rule, joinWords(argv))) return []
      return [facts.scriptOf(argv, directory)]
    }),
  )
}

/** The text of the newest kept answer for a script of the call that has another text now, null where it was not kept; undefined when there is none. */
export function formerScript(evaluated: Evaluated, session: CallSession): string | null | undefined {
  const kept = session.rules().rules.filter(({ answer, recipe, action }) => {
    return action === "allow" && (answer === true || recipe !== undefined)
  })
  const outdated = kept.findLast((rule) => isOutdated(rule, evaluated))
  return outdated && (outdated.shown ?? null)
}

function isOutdated(rule: PlacedRule, evaluated: Evaluated): boolean {
  const scripts = scriptsFor(rule, evaluated)
  return scripts.length > 0 && scripts.every((script) => script === undefined || script.digest !== rule.recipe)
}
