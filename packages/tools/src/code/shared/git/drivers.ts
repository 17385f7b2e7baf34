import { ToolError } from "@haft/contract"
import { emptyVariable, falseVariable } from "./safe-environment.js"
import { type Setting, splitKey } from "./settings.js"

// More would not fit on a command line, and no repository that means well has as many.
const maxDrivers = 200

/** Programs that a repository names for filters, merges, diffs and hooks, and the arguments that switch them off. */
export interface Drivers {
  /** For instance `filter.lfs`; those that name a program. */
  readonly names: readonly string[]
  readonly arguments: readonly string[]
}

/** Finds the drivers of a repository by their names. */
export function findDrivers(settings: readonly Setting[]): Drivers {
  const found = new Map<string, { readonly section: string; active: boolean }>()
  for (const { scope, key, value } of settings) {
    const parts = splitKey(key)
    if (!parts || scope === "command" || !programNames[parts.section]?.includes(parts.name)) continue
    const name = `${parts.section}.${parts.subject}`
    const driver = found.get(name) ?? { section: parts.section, active: false }
    driver.active ||= value !== ""
    found.set(name, driver)
  }
  if (found.size > maxDrivers) throw tooMany(found.size)
  return {
    names: [...found].filter(([, { active }]) => active).map(([name]) => name),
    arguments: [...found].flatMap(([name, { section }]) => switchOff(name, section)),
  }
}

const programNames: Readonly<Record<string, readonly string[]>> = {
  filter: ["clean", "smudge", "process"],
  diff: ["command", "textconv"],
  merge: ["driver"],
  hook: ["command", "event"],
}

// By way of a variable, because `-c` ends a name at its first "=" and a name may have one.
function switchOff(name: string, section: string): readonly string[] {
  const empty = section === "hook" ? [] : programNames[section]!
  return [
    ...empty.map((program) => `--config-env=${name}.${program}=${emptyVariable}`),
    ...(section === "filter" ? [`--config-env=${name}.required=${falseVariable}`] : []),
    ...(section === "hook" ? [`--config-env=${name}.enabled=${falseVariable}`] : []),
  ]
}

function tooMany(count: number): ToolError {
  return new ToolError(
    "unsupported",
    `Cannot use git here: the repository names ${count} programs for filters, merges and diffs, and at most ${maxDrivers} can be switched off; remove them from .git/config`,
  )
}
