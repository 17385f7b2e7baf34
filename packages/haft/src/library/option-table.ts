import { isAbsolute } from "node:path"
import { boxLevels, removedBoxLevels, searchProviderIds, type ToolError, toolsetNames } from "@haft/contract"
import { parseWholeRule } from "@haft/guard"
import { modes, type SettingType, sandboxes } from "../config/setting.js"
import { isPlainObject, valueProblem } from "../config/setting-value.js"
import type { AgentOptions } from "./agent.js"
import type { HaftOptions } from "./options.js"

interface Option {
  /** Why a value does not fit, after the words "it must be". */
  readonly problem: (value: unknown) => string | undefined
  /** A value that fits, as a person writes it. */
  readonly example: string
}

export interface Shape {
  readonly [name: string]: Option | Shape
}

type ShapeOf<Options> = { readonly [Name in keyof Required<Options>]: Option | ShapeOf<NonNullable<Options[Name]>> }

function option(type: SettingType | Option["problem"], example: string): Option {
  return { problem: typeof type === "function" ? type : (value) => valueProblem(type, value), example }
}

const text = (example: string) => option({ kind: "text" }, example)
const texts = (example: string) => option({ kind: "texts" }, example)
const count = (example: string) => option({ kind: "count" }, example)
const flag = (example: string) => option({ kind: "switch" }, example)
const choice = (choices: readonly string[], example: string) => option({ kind: "choice", choices }, example)
const callback = (example: string) =>
  option((value) => (typeof value === "function" ? undefined : "it must be a function"), example)

const ruleExample = '[{ permission: "fs.read", pattern: "secrets/**", action: "deny" }]'
const requirementsExample = '{ fs: { read: ["{workspace}/**"] } }'

/** Every option with what it takes; `satisfies` holds the table to the type. */
export const shape: Shape = {
  roots: option(rootsProblem, '["."]'),
  toolset: option({ kind: "names", choices: [...toolsetNames, "all"] }, '"locked,code"'),
  rules: option(listOf(wholeRuleProblem), '["allow fs.write(docs/**)", "deny fs.read(secrets/**)"]'),
  mode: choice(modes, '"ask"'),
  person: option(
    (value) =>
      value === "headless" || hasMethods(value, ["ask", "question"])
        ? undefined
        : 'it must be "headless" or an object with the functions ask and question',
    '"headless"',
  ),
  tools: option((value) => (Array.isArray(value) ? undefined : "it must be a list of tools"), "[wordCount]"),
  home: text('"/home/me/.local/share/haft"'),
  configuration: flag("true"),
  workspace: {
    directory: text('"packages/app"'),
    adHocFiles: texts('["/data/report.csv"]'),
    trusted: flag("true"),
  },
  sandbox: {
    policy: choice(sandboxes, '"required"'),
    readable: texts('["/opt/sdk"]'),
    env: texts('["JAVA_HOME"]'),
    envSecrets: texts('["NPM_TOKEN"]'),
    unconfined: texts('["git push"]'),
  },
  network: {
    grants: texts('["localhost:3000"]'),
    proxy: { http: text('"http://proxy:3128"'), https: text('"http://proxy:3128"'), noProxy: texts('["localhost"]') },
    registries: option(
      listOf(registryProblem),
      '[{ name: "work", address: "https://npm.example/", header: "authorization", secret: () => token }]',
    ),
    webSearch: {
      provider: choice(searchProviderIds, '"wiki"'),
      endpoints: option(recordOf({ kind: "text" }), '{ searxng: "https://search.example/" }'),
      keys: option(recordOf({ kind: "text" }), "{ brave: key }"),
      callsPerSession: count("25"),
      timeoutMs: count("15_000"),
    },
  },
  storage: {
    journal: flag("false"),
    store: option({ kind: "store" }, '"/home/me/journal.db"'),
    configHome: text('"/home/me/.config/haft"'),
    retention: {
      history: { maxBytes: count("1_000_000_000"), maxAgeMs: count("86_400_000") },
      sidecars: { maxAgeMs: count("86_400_000") },
    },
    secrets: option(
      listOf((value) =>
        hasTexts(value, ["name", "value"]) ? undefined : "must have a name and a value, both strings",
      ),
      '[{ name: "api key", value: key }]',
    ),
  },
  guard: {
    grant: option(requirementsProblem, requirementsExample),
    manifest: {
      requires: option(requirementsProblem, requirementsExample),
      rules: option(listOf(ruleProblem), ruleExample),
    },
    detectors: option(
      listOf((value) =>
        hasTexts(value, ["id"]) && hasMethods(value, ["inspect"])
          ? undefined
          : "must have an id and the function inspect",
      ),
      '[{ id: "mine", about: "Odd calls", inspect: () => ({ verdict: "allow" }) }]',
    ),
  },
  output: {
    limits: option(recordOf({ kind: "count" }), "{ grep: 50 }"),
    schema: option({ kind: "object" }, '{ type: "object" }'),
  },
  box: {
    minIsolation: option({ kind: "choice", choices: boxLevels, removed: removedBoxLevels }, '"vm"'),
    defaultImage: text('"debian-12"'),
  },
  git: {
    install: flag("true"),
    baseUrl: text('"https://git.example/builds/"'),
    sha256: text('"9f86d081..."'),
    onProgress: callback("(text) => console.error(text)"),
  },
  skills: {
    paths: option(
      (value) =>
        Array.isArray(value) && value.every((path) => typeof path === "string" && isAbsolute(path))
          ? undefined
          : "it must be a list of absolute paths",
      '["/home/me/skills"]',
    ),
  },
  mcpServers: option(recordOf({ kind: "object" }), '{ memory: { command: "mcp-server-memory", trusted: true } }'),
  extensions: option(
    listOf((value) => (hasTexts(value, ["folder"]) ? undefined : "must have a folder")),
    '[{ folder: "./extensions/notes" }]',
  ),
  hooks: {
    commands: {
      PreToolUse: option({ kind: "hooks" }, '[{ matcher: "bash", command: "./check.sh" }]'),
      PostToolUse: option({ kind: "hooks" }, '["./note.sh"]'),
      PostToolUseFailure: option({ kind: "hooks" }, '["./note.sh"]'),
    },
    onEvent: callback("(event) => console.error(event.type)"),
    saveProjectRule: callback('async (rule) => ({ ...rule, source: { scope: "local" } })'),
    settings: option(
      (value) =>
        hasMethods(value, ["get", "set"]) ? undefined : "it must be an object with the functions get and set",
      "{ get, set }",
    ),
  },
} satisfies ShapeOf<HaftOptions>

/** Every option of an agent. */
export const agentShape = {
  model: option(modelProblem, '"anthropic:claude-sonnet-4-5"'),
  baseUrl: text('"http://127.0.0.1:8000/v1"'),
  session: text("id"),
  instructions: text('"You review changes"'),
  person: option(
    (value) =>
      value === "headless" || value === "events" || hasMethods(value, ["ask", "question"])
        ? undefined
        : 'it must be "headless", "events" or an object with the functions ask and question',
    '"events"',
  ),
  dialect: option(
    (value) => (typeof value === "string" || isPlainObject(value) ? undefined : "it must be the name of a dialect"),
    '"claw"',
  ),
  limits: { maxSteps: count("20"), maxCost: option(amountProblem, "0.5"), maxTimeMs: option(amountProblem, "60_000") },
  contextTokens: count("100_000"),
  summaryModel: option(modelProblem, '"anthropic:claude-haiku-4-5"'),
  record: text('"replies.jsonl"'),
} satisfies ShapeOf<AgentOptions>

export function isOption(field: Option | Shape): field is Option {
  return typeof field.problem === "function"
}

/** A model of another version would fail in the middle of a turn. */
function modelProblem(value: unknown): string | undefined {
  const isModel = hasMethods(value, ["doStream"]) && /^v[34]$/.test(String(Object(value).specificationVersion))
  return isModel || (typeof value === "string" && value !== "")
    ? undefined
    : "it must be PROVIDER:NAME, script:FILE or a model of a provider of AI SDK 6 or 7"
}

function amountProblem(value: unknown): string | undefined {
  return typeof value === "number" && value > 0 ? undefined : "it must be a number above 0"
}

function rootsProblem(value: unknown): string | undefined {
  const problem = valueProblem({ kind: "texts" }, value)
  if (problem) return "it must be a list of folders"
  return Array.isArray(value) && value.length === 0 ? "it must name at least one folder" : undefined
}

function listOf(problem: (value: unknown) => string | undefined): Option["problem"] {
  return (value) => {
    if (!Array.isArray(value)) return "it must be a list"
    for (const [index, member] of value.entries()) {
      const found = problem(member)
      if (found) return `number ${index + 1} of the list ${found}`
    }
    return undefined
  }
}

function recordOf(type: SettingType): Option["problem"] {
  return (value) => {
    if (!isPlainObject(value)) return "it must be an object"
    for (const [name, member] of Object.entries(value)) {
      const problem = valueProblem(type, member)
      if (problem) return `${problem.replace(/^it /, `"${name}" `)}`
    }
    return undefined
  }
}

const actions: readonly unknown[] = ["allow", "deny", "ask"]
const ruleTexts = ["pattern", "why", "recipe", "shown"]
const ruleLists = ["match", "no_match"]
const ruleMembers = ["permission", "action", ...ruleTexts, ...ruleLists]
// What only rules have that were read from somewhere or made by a mode.
const placedMembers = ["source", "authority", "final", "untrackedOnly", "secret", "answer"]

function wholeRuleProblem(rule: unknown): string | undefined {
  if (typeof rule !== "string") return ruleProblem(rule)
  try {
    return ruleProblem(parseWholeRule(rule))
  } catch (error) {
    return `is "${rule}": ${(error as ToolError).message.replace(/^.*?": /, "")}`
  }
}

function ruleProblem(rule: unknown): string | undefined {
  if (!isPlainObject(rule)) return "must be a rule"
  // A misspelt pattern would make a rule about everything.
  const unknown = Object.keys(rule).find((name) => ![...ruleMembers, ...placedMembers].includes(name))
  if (unknown !== undefined) return `has "${unknown}": a rule has ${ruleMembers.join(", ")}`
  if (!hasTexts(rule, ["permission"])) return "needs a permission, for instance fs.read or bash"
  // Rules of files and flags come with their source, and the command line notes what they misspell.
  if (rule.source === undefined && isUnknownCapability(String(rule.permission)))
    return `is about "${rule.permission}": there is ${fixed.join(", ")}, or the id of a tool`
  if (!actions.includes(rule.action)) return "needs an action: allow, deny or ask"
  const text = ruleTexts.find((name) => rule[name] !== undefined && !hasTexts(rule, [name]))
  if (text !== undefined) return `has a ${text} that is not a string`
  const list = ruleLists.find((name) => rule[name] !== undefined && !isList(rule[name]))
  return list === undefined ? undefined : `has a ${list} that is not a list of strings`
}

const fixed: readonly string[] = ["fs.read", "fs.write", "fs.delete", "net.fetch", "shell.run"]

/** No tool has a dot in its id, so these are all names with one; a misspelt deny would protect nothing. */
function isUnknownCapability(permission: string): boolean {
  return /^\w+\.\w+$/.test(permission) && !fixed.includes(permission)
}

function registryProblem(registry: unknown): string | undefined {
  const names = ["name", "address", "header"]
  return hasTexts(registry, names) && hasMethods(registry, ["secret"])
    ? undefined
    : "must have a name, an address and a header, all strings, and the function secret"
}

const requirementMembers = ["fs", "net", "shell", "capabilities"]

function requirementsProblem(value: unknown): string | undefined {
  if (!isPlainObject(value)) return "it must be an object"
  const unknown = Object.keys(value).find((name) => !requirementMembers.includes(name))
  if (unknown !== undefined) return `it has "${unknown}"; it takes ${requirementMembers.join(", ")}`
  const { fs = {}, net = { hosts: [] }, shell = [], capabilities = [] } = value
  if (!isPlainObject(fs) || !isList(fs.read ?? []) || !isList(fs.write ?? [])) {
    return "its fs must have read and write, lists of path patterns"
  }
  if (!isPlainObject(net) || !isList(net.hosts)) return "its net must have hosts, a list of host patterns"
  if (!Array.isArray(shell) || !shell.every((each) => hasTexts(each, ["cmd"]))) {
    return 'its shell must be a list such as [{ cmd: "git" }]'
  }
  return isList(capabilities) ? undefined : "its capabilities must be a list of names"
}

function isList(value: unknown): boolean {
  return valueProblem({ kind: "texts" }, value) === undefined
}

function hasTexts(value: unknown, names: readonly string[]): boolean {
  return isPlainObject(value) && names.every((name) => typeof value[name] === "string" && value[name] !== "")
}

function hasMethods(value: unknown, names: readonly string[]): boolean {
  return isPlainObject(value) && names.every((name) => typeof value[name] === "function")
}
