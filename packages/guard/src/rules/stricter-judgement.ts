import type { Judgement } from "@haft/contract"

/** Of a child's own judgement and its parent's the one that holds: deny over ask over allow, a final ask over others. */
export function stricterJudgement(own: Judgement, parent: Judgement): Judgement {
  return rank(parent) > rank(own) ? parent : own
}

function rank({ verdict, written, final }: Judgement): number {
  if (verdict === "deny") return 4
  if (verdict === "allow") return 0
  return final ? 3 : written ? 2 : 1
}
