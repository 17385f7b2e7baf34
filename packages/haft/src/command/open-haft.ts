import { resolve } from "node:path"
import {
  type BoundRule,
  type Mode,
  type Person,
  type PlacedRule,
  type SandboxPolicy,
  type SessionEvent,
  ToolError,
} from "@haft/contract"
import { answersFile } from "../config/answers-file.js"
import { shortPath } from "../config/places.js"
import { toolSettings } from "../config/tool-settings.js"
import type { Haft } from "../library/create-haft.js"
import type { HaftOptions } from "../library/options.js"
import { type ColorChoice, styleFor } from "../terminal/style.js"
import { skillTrust } from "../trust/skill-trust.js"
import { commands } from "./commands.js"
import type { Invocation } from "./invocation.js"
import type { Io } from "./io.js"
import { packagePath } from "./package-folder.js"
import { note } from "./print.js"
import { registriesOf } from "./registries-of.js"
import { checkWideRoot, flagRules, type Setup, setUp } from "./setup.js"
import type { SpokenTool } from "./spoken-tool.js"
import { toolDescriptions } from "./tool-descriptions.js"
import { variablesFor } from "./variables.js"
import { proxyOf, webSearchOf } from "./web-setup.js"

/** A Haft as this command line and its configuration want it. */
export interface OpenedHaft {
  readonly haft: Haft
  readonly setup: Setup
  readonly headless: boolean
}

/** What differs between the commands that open a Haft. */
export interface OpenHaftOptions {
  readonly journal?: boolean
  readonly onEvent?: (event: SessionEvent) => void
  /** The one tool that will be called; without it all of the toolset are loaded. */
  readonly tool?: SpokenTool
  /** Whether a wide current directory is an error; commands that touch no file do not care. */
  readonly touchesFiles: boolean
}

/** Opens a Haft. A rule in a file that cannot be understood stops the start. */
export async function openHaft(invocation: Invocation, io: Io, options: OpenHaftOptions): Promise<OpenedHaft> {
  const setup = await setUp(invocation, io)
  if (options.touchesFiles) await checkWideRoot(setup)
  const { places, roots, directory, configuration } = setup
  await checkFileRules(setup)
  const { createHaft } = await import("../library/create-haft.js")
  const person = await personFor(invocation, io)
  const haft = await createHaft({
    roots,
    directory,
    toolset: invocation.text("toolset") ?? "all",
    ...(await onlyTool(invocation, options.tool)),
    rules: [...configuration.rules, ...(await flagRules(invocation))],
    mode: configuration.values.get("mode") as Mode,
    person,
    home: places.home,
    configHome: places.configHome,
    limits: limitsOf(setup),
    retention: retentionOf(setup),
    netGrants: [...texts(setup, "net.grants"), ...invocation.list("grant-net")],
    sandbox: {
      policy: configuration.values.get("sandbox") as SandboxPolicy,
      readable: texts(setup, "readable"),
      // A secret that is named for this run need not be listed twice.
      env: [...texts(setup, "env"), ...invocation.list("env"), ...invocation.list("env-secret")],
      envSecrets: invocation.list("env-secret"),
      unconfined: texts(setup, "unconfined"),
    },
    box: {
      ...optional("minIsolation", configuration.values.get("box.minIsolation") as string | undefined),
      ...optional("defaultImage", configuration.values.get("box.defaultImage") as string | undefined),
    },
    webSearch: webSearchOf(setup, io.env),
    ...optional("proxy", proxyOf(setup, io.env)),
    ...optional(
      "installGit",
      missingGitOf(setup, (text) => note(invocation, io, text)),
    ),
    registries: registriesOf(setup, io.env),
    skillFolders: texts(setup, "skills.paths").map((path) => resolve(directory, path)),
    bundledSkills: packagePath("skills"),
    settings: toolSettings({ configuration, roots, userFile: places.userFile }),
    commands: commands.map(({ name, about }) => ({ id: name, name: `haft ${name}: ${about}` })),
    trustsSkill: skillTrust(configuration),
    trusted: configuration.folders.every(({ trust }) => trust === "trusted"),
    saveProjectRule: (rule) => saveAnswer(setup, rule),
    ...optional("store", configuration.values.get("store") as string | undefined),
    ...optional("journal", options.journal),
    ...optional("onEvent", options.onEvent),
  })
  return { haft, setup, headless: person === "headless" }
}

/** Most tools are opened alone: making the schemas of all takes longer than a call. */
async function onlyTool(
  invocation: Invocation,
  tool: SpokenTool | undefined,
): Promise<Pick<HaftOptions, "only" | "known">> {
  if (tool?.source !== "builtin" || invocation.text("toolset") !== undefined) return {}
  const { loadTool } = await import("@haft/tools")
  if ((await loadTool(tool.name))?.manifest.looksAtTools) return {}
  // Each is one command away.
  return { only: [tool.name], known: toolDescriptions().map(({ id }) => id) }
}

/** A rule of a file that cannot be understood is a broken set-up, not a mistake in this command line. */
async function checkFileRules(setup: Setup): Promise<void> {
  if (setup.configuration.rules.length === 0) return
  const { compileRules } = await import("@haft/guard")
  try {
    compileRules(setup.configuration.rules, variablesFor(setup))
  } catch (error) {
    if (!ToolError.is(error)) throw error
    throw new ToolError("not_configured", error.message, {
      hint: error.fix ?? error.hint ?? "Correct the file, then run: haft doctor",
    })
  }
}

/** The person at the terminal where there is one; otherwise nobody. Only keys answer, never what comes through a pipe. */
async function personFor(invocation: Invocation, io: Io): Promise<"headless" | Person> {
  if (invocation.flag("headless") || !io.stderr.isTTY) return "headless"
  const keyboard = io.stdin.isTTY ? () => io.stdin : io.openKeyboard?.()
  if (!keyboard) return "headless"
  const { terminalPerson } = await import("../terminal/terminal-person.js")
  const style = styleFor(io.stderr, io.env, invocation.text("color") as ColorChoice | undefined)
  const { stderr, env, interrupt } = io
  const terminal = {
    // Opened when the first question comes.
    get stdin() {
      return keyboard()
    },
    ...{ stderr, env, ...optional("interrupt", interrupt) },
  }
  return terminalPerson(terminal, style)
}

/** Only the user's own configuration can say that a missing git is installed, and from where. */
function missingGitOf({ configuration: { values } }: Setup, onProgress: (text: string) => void) {
  if (values.get("git.install") !== true) return undefined
  return {
    ...optional("baseUrl", values.get("git.baseUrl") as string | undefined),
    ...optional("sha256", values.get("git.sha256") as string | undefined),
    onProgress,
  }
}

function texts({ configuration }: Setup, key: string): readonly string[] {
  return (configuration.values.get(key) as readonly string[] | undefined) ?? []
}

function limitsOf({ configuration }: Setup): Record<string, number> {
  const limits: Record<string, number> = {}
  for (const [key, value] of configuration.values) if (key.startsWith("limits.")) limits[key.slice(7)] = value as number
  return limits
}

function retentionOf({ configuration: { values } }: Setup) {
  const days = values.get("retention.history.maxDays") as number | undefined
  const maxBytes = values.get("retention.history.maxBytes") as number | undefined
  const hours = values.get("retention.sidecars.maxHours") as number | undefined
  return {
    history: { ...optional("maxBytes", maxBytes), ...optional("maxAgeMs", days && days * 86_400_000) },
    sidecars: optional("maxAgeMs", hours && hours * 3_600_000),
  }
}

/** Keeps an answer for the folder, outside of it. */
async function saveAnswer({ places, roots }: Setup, rule: BoundRule): Promise<PlacedRule> {
  const { addAnswer } = await import("../config/edit-config-file.js")
  const path = answersFile(places.configHome, roots[0]!)
  const { line } = addAnswer({ path, scope: "answers" }, rule, roots[0])
  return { ...rule, source: { scope: "local", file: shortPath(path, places.userHome), line } }
}

function optional<Key extends string, Value>(key: Key, value: Value | undefined): { [K in Key]?: Value } {
  return value === undefined ? {} : ({ [key]: value } as { [K in Key]?: Value })
}
