import { nearestNames, ToolError } from "@haft/contract"
import { isPlainObject } from "../config/setting-value.js"
import { agentShape, isOption, type Shape, shape } from "./option-table.js"

/** Refuses options that are unknown, renamed or of a wrong type, by name and with the next step. Opens nothing. */
export function checkOptions(options: unknown): void {
  if (!isPlainObject(options)) {
    throw new ToolError("invalid_args", "Cannot use the options: they must be an object", {
      hint: 'Write createHaft({ roots: ["."] })',
    })
  }
  checkGroup(options, shape, [], shape)
}

/** The same for the options of an agent. */
export function checkAgentOptions(options: unknown): void {
  if (!isPlainObject(options) || options.model === undefined) {
    throw new ToolError("invalid_args", "Cannot make an agent: it has no model", {
      hint: `Write haft.agent({ model: ${agentShape.model.example} })`,
    })
  }
  checkGroup(options, agentShape, [], agentShape)
}

/** The dotted names of all options. */
export function optionNames(group: Shape = shape, path: readonly string[] = []): readonly string[] {
  return Object.entries(group).flatMap(([name, field]) =>
    isOption(field) ? [[...path, name].join(".")] : optionNames(field, [...path, name]),
  )
}

// Names of earlier versions, with the name that each has now.
const renamed: Readonly<Record<string, string>> = {
  directory: "workspace.directory",
  adHocFiles: "workspace.adHocFiles",
  trusted: "workspace.trusted",
  netGrants: "network.grants",
  proxy: "network.proxy",
  registries: "network.registries",
  webSearch: "network.webSearch",
  journal: "storage.journal",
  store: "storage.store",
  configHome: "storage.configHome",
  retention: "storage.retention",
  secrets: "storage.secrets",
  grant: "guard.grant",
  manifest: "guard.manifest",
  detectors: "guard.detectors",
  limits: "output.limits",
  outputSchema: "output.schema",
  installGit: "git.install",
  skillFolders: "skills.paths",
  onEvent: "hooks.onEvent",
  saveProjectRule: "hooks.saveProjectRule",
  settings: "hooks.settings",
}

const ofCommandLine = ["only", "known", "bundledSkills", "commands", "trustsSkill"]

function checkGroup(
  group: Readonly<Record<string, unknown>>,
  known: Shape,
  path: readonly string[],
  whole: Shape,
): void {
  for (const [key, value] of Object.entries(group)) {
    const place = [...path, key]
    const field = Object.hasOwn(known, key) ? known[key] : undefined
    if (!field) throw unknownOption(place, whole)
    if (value === undefined) continue
    if (isOption(field)) {
      const problem = field.problem(value)
      if (problem) throw refused(place, problem, `Write ${written(place, field.example)}`)
    } else if (isPlainObject(value)) checkGroup(value, field, place, whole)
    else
      throw refused(
        place,
        "it must be an object",
        `It has ${Object.keys(field).join(", ")}: ${written(place, sample(field))}`,
      )
  }
}

function unknownOption(place: readonly string[], whole: Shape): ToolError {
  const name = place.join(".")
  const now = whole === shape && Object.hasOwn(renamed, name) ? renamed[name] : undefined
  if (now !== undefined) return refused(place, `it is "${now}" now`, `Write ${written(now.split("."), "...")}`)
  if (whole === shape && ofCommandLine.includes(name))
    return refused(place, "only the command line has it", "Leave it out")
  // Names of the same group come first: "rule" means "rules", not a part of a far group with a name as near.
  const names = optionNames(whole)
  const beside = names.filter((option) => option.split(".").length === place.length)
  const near = nearestNames(name, beside, 1)[0] ?? nearestNames(name, names, 1)[0]
  const top = `The options are ${Object.keys(whole).join(", ")}`
  return refused(place, "there is no such option", near === undefined ? top : `Did you mean "${near}"?`)
}

function refused(place: readonly string[], reason: string, hint: string): ToolError {
  return new ToolError("invalid_args", `Cannot use option "${place.join(".")}": ${reason}`, { hint })
}

/** `a: { b: value }` for the place `a.b`. */
function written([name, ...rest]: readonly string[], value: string): string {
  return `${name}: ${rest.length === 0 ? value : `{ ${written(rest, value)} }`}`
}

function sample(group: Shape): string {
  const [name, field] = Object.entries(group)[0]!
  return `{ ${name}: ${isOption(field) ? field.example : sample(field)} }`
}
