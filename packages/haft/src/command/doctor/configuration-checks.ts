import { existsSync } from "node:fs"
import { join } from "node:path"
import { compileRules, defaultRules, modeRules, testRules } from "@haft/guard"
import { answersFile } from "../../config/answers-file.js"
import type { ConfigScope } from "../../config/config-file.js"
import { misspeltVariables } from "../../config/environment-layer.js"
import { type Configuration, loadConfiguration } from "../../config/load-configuration.js"
import { parseConfigFile } from "../../config/parse-config-file.js"
import { readTextFile } from "../../config/read-text-file.js"
import { variablesFor } from "../../config/variables.js"
import { widenings } from "../../trust/widenings.js"
import { limitProblem } from "../check-limits.js"
import { toolDescriptions } from "../tool-descriptions.js"
import { type Check, type DoctorRequest, failed } from "./check.js"

/** Whether every file parses, every rule compiles and passes its own tests, and what is not trusted. */
export async function configurationChecks(request: DoctorRequest): Promise<readonly Check[]> {
  const files = fileChecks(request)
  const variables = misspeltVariables(request.env).map(
    ({ name, meant }): Check => ({
      name: "environment",
      state: "warn",
      found: `${name} means nothing`,
      fix: `did you mean ${meant}?`,
    }),
  )
  const broken = files.some(({ state }) => state === "fail")
  return [...files, ...strangers(request), ...variables, ...(broken ? [] : await ruleAndTrustChecks(request))]
}

function fileChecks({ places, roots }: DoctorRequest): readonly Check[] {
  const files: readonly (readonly [ConfigScope, string])[] = [
    ["managed", places.managedFile],
    ["user", places.userFile],
    ...roots.flatMap((root) => [
      ["answers", answersFile(places.configHome, root)] as const,
      ["project", join(root, "haft.jsonc")] as const,
      ["local", join(root, "haft.local.jsonc")] as const,
    ]),
  ]
  return files.flatMap(([scope, path]) => {
    try {
      const text = readTextFile(path)
      if (text === undefined) return []
      const { entries, rules } = parseConfigFile(text, { path, name: path, scope })
      return [
        {
          name: `${scope} file`,
          state: "ok",
          found: `${path} has ${entries.length} settings and ${rules.length} rules`,
        } as const,
      ]
    } catch (error) {
      return [failed(`${scope} file`, error)]
    }
  })
}

/** Files that a person may have written for Haft and that nothing reads: what they say does not hold. */
function strangers({ places, roots }: DoctorRequest): readonly Check[] {
  const besideProject = ["json", "yaml", "yml", "toml", "js", "ts"].flatMap((end) => [
    `haft.${end}`,
    `haft.config.${end}`,
  ])
  const ofProject = [
    ...besideProject,
    ".haftrc",
    ".haft.json",
    ".haft.jsonc",
    "haft.config.jsonc",
    ".haft/config.jsonc",
  ]
  const ofUser = ["config.json", "config.yaml", "config.toml", "settings.json", "haft.jsonc"]
  const looked = [
    ...roots.flatMap((root) => ofProject.map((name) => [join(root, name), join(root, "haft.jsonc")] as const)),
    ...ofUser.map((name) => [join(places.configHome, name), places.userFile] as const),
    ...[".haftrc", ".haft.jsonc", ".haft/config.jsonc"].map(
      (name) => [join(places.userHome, name), places.userFile] as const,
    ),
  ]
  return looked
    .filter(([path]) => existsSync(path))
    .map(([path, meant]) => ({
      name: "configuration",
      state: "warn",
      found: `${path} is not read`,
      fix: `what it says belongs into ${meant}`,
    }))
}

async function ruleAndTrustChecks({ env, places, roots }: DoctorRequest): Promise<readonly Check[]> {
  try {
    const defaultLimit = (tool: string) => toolDescriptions().find(({ id }) => id === tool)?.limit.max
    const configuration = await loadConfiguration({ env, places, roots, flags: {}, defaultLimit })
    const rules = [...configuration.rules, ...defaultRules(), ...modeRules("accept-edits")]
    const variables = variablesFor({ places, roots })
    compileRules(rules, variables)
    const results = testRules(rules, variables)
    const wrong = results.filter(({ passed }) => !passed).length
    const waiting = widenings(configuration).filter(({ active }) => !active).length
    return [
      ...limitChecks(configuration),
      wrong === 0
        ? { name: "rules", state: "ok", found: `${rules.length} rules, ${results.length} samples pass` }
        : {
            name: "rules",
            state: "fail",
            found: `${wrong} of ${results.length} samples fail`,
            fix: "run haft rule test",
          },
      ...configuration.folders.map(({ root, trust }): Check => {
        if (waiting === 0) return { name: "trust", state: "ok", found: `the folder ${root} is ${trust}` }
        return {
          name: "trust",
          state: "warn",
          found: `the folder ${root} is ${trust}: ${waiting} entries are inactive`,
          fix: "see haft trust",
        }
      }),
    ]
  } catch (error) {
    return [failed("rules", error)]
  }
}

/** Limits of tools that do not exist: every other command refuses to start with them. */
function limitChecks({ sayings }: Configuration): readonly Check[] {
  return sayings.flatMap(({ key, source }) => {
    const problem = limitProblem(key)
    return problem
      ? [{ name: key, state: "fail", found: `set in ${source}: ${problem.reason}`, fix: problem.hint } as const]
      : []
  })
}
