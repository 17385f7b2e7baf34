import type { Action, Mode, Rule } from "@haft/contract"
import { kinds } from "../access/body.js"

/** One of the modes. */
export const isMode = kinds.oneOf<Mode>(["plan", "ask", "accept-edits", "auto"])

const isAction = kinds.oneOf<Action>(["allow", "deny", "ask"])

/** A rule with exactly what people may write; undefined for anything else. */
export function ruleIn(value: unknown): Rule | undefined {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return undefined
  const { permission, pattern, action, why, match, no_match, ...rest } = value as Record<string, unknown>
  if (Object.keys(rest).length > 0 || typeof permission !== "string" || isAction(action) === undefined) return undefined
  for (const text of [pattern, why]) if (text !== undefined && typeof text !== "string") return undefined
  for (const texts of [match, no_match]) if (texts !== undefined && !kinds.texts(texts)) return undefined
  return value as Rule
}
