import { nearestNames, type PlacedRule } from "@haft/contract"
import type { Say } from "@haft/language"
import { misspeltVariables } from "../config/environment-layer.js"
import type { Configuration } from "../config/load-configuration.js"
import type { Environment } from "../config/places.js"
import { ignoredNotes } from "./ignored-notes.js"
import { toolDescriptions } from "./tool-descriptions.js"

/** What was set and does not hold. A tightening that silently fails is worse than none. */
export async function warnings(
  configuration: Configuration,
  { env, flagRules, say }: { readonly env: Environment; readonly flagRules: readonly PlacedRule[]; readonly say: Say },
): Promise<readonly string[]> {
  return [
    ...ignoredNotes(configuration, say),
    ...misspeltVariables(env).map(({ name, meant }) => say`${name} means nothing; did you mean ${meant}?`),
    ...(await misspeltPermissions([...configuration.rules, ...flagRules], say)),
  ]
}

const capabilities = ["*", "fs.read", "fs.write", "fs.delete", "shell.run", "net.fetch"]

/** What to write instead of a permission that names nothing; tools of servers, skills and extensions are not known here. */
export function unknownPermission(permission: string): string | undefined {
  const known = [...capabilities, ...toolDescriptions().map(({ id }) => id)]
  if (known.includes(permission) || /^(?:mcp|skill)__|[:]/.test(permission)) return undefined
  const [near] = nearestNames(permission, known, 1)
  return near ? `Did you mean ${near}?` : `It is one of ${capabilities.join(", ")}, or the id of a tool: haft tools`
}

/** Tools of servers and extensions are not known here, so only a name that looks like a known one is mentioned. */
async function misspeltPermissions(rules: readonly PlacedRule[], say: Say): Promise<readonly string[]> {
  if (rules.length === 0) return []
  const known = [...capabilities, ...toolDescriptions().map(({ id }) => id)]
  return rules.flatMap(({ permission, source }) =>
    suggestion(permission, known, ruleWords(permission, source, say), say),
  )
}

function ruleWords(permission: string, { scope, file, line }: PlacedRule["source"], say: Say): string {
  if (file === undefined) return say`the rule for ${permission} from a ${scope}`
  return say`the rule for ${permission} in ${`${file}:${line}`}`
}

function suggestion(name: string, known: readonly string[], what: string, say: Say): readonly string[] {
  if (known.includes(name)) return []
  const [near] = nearestNames(name, known, 1)
  return near ? [say`${what} names nothing that is known; did you mean ${near}?`] : []
}
