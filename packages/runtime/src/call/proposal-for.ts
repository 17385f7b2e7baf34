import type { Rule, RuleProposal, ToolDefinition } from "@haft/contract"
import { coversSample, joinWords, proposeRule } from "@haft/guard"
import type { CallSession } from "../session/call-session.js"
import type { Climbed } from "./ladder/climb.js"

/** What could be kept of an answer. Nothing for a script whose text is not known: a rule for it would hold for no call. */
export function proposalFor(tool: ToolDefinition, climbed: Climbed, session: CallSession): RuleProposal | undefined {
  const proposal = climbed.judgement && proposeRule(tool.manifest.id, climbed.parts, climbed.judgement)
  return proposal && recipesFor(proposal.rule, climbed, session).includes(undefined) ? undefined : proposal
}

/** The digests of the texts that commands of the call run which a rule covers; undefined for a text that is not known. */
export function recipesFor(rule: Rule, { parts }: Climbed, { facts }: CallSession): readonly (string | undefined)[] {
  return parts.flatMap(({ heads }) =>
    heads.flatMap(({ permission, subject }) => {
      if (permission !== rule.permission || subject.kind !== "command" || subject.directory === undefined) return []
      return coversSample(rule, joinWords(subject.argv)) ? [facts.recipeOf?.(subject.argv, subject.directory)] : []
    }),
  )
}
