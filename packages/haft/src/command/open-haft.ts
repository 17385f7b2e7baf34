import { resolve } from "node:path"
import { type BoundRule, type Person, type PlacedRule, type SessionEvent, ToolError } from "@haft/contract"
import { answersFile } from "../config/answers-file.js"
import { shortPath } from "../config/places.js"
import { toolSettings } from "../config/tool-settings.js"
import type { HookSettings } from "../hooks/hook-entry.js"
import type { ProgramHaft } from "../library/create-haft.js"
import type { GitOptions, ProgramOptions, RetentionOptions, SandboxOptions } from "../library/options.js"
import { styleFor } from "../terminal/style.js"
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
  readonly haft: ProgramHaft
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
  /** Whether a model chooses among the tools: then the toolset of the configuration holds, not every tool. */
  readonly forAgent?: boolean
}

/** Opens a Haft. A rule in a file that cannot be understood stops the start. */
export async function openHaft(invocation: Invocation, io: Io, options: OpenHaftOptions): Promise<OpenedHaft> {
  const setup = await setUp(invocation, io)
  if (options.touchesFiles) await checkWideRoot(setup)
  const { places, roots, directory, configuration } = setup
  await checkFileRules(setup)
  const library = await import("../library/create-haft.js")
  const person = await personFor(invocation, io)
  const { values } = configuration
  const program: ProgramOptions = {
    ...(await onlyTool(invocation, options.tool)),
    bundledSkills: packagePath("skills"),
    commands: commands.map(({ name, about }) => ({ id: name, name: `haft ${name}: ${about}` })),
    trustsSkill: skillTrust(configuration),
    // Loaded where a session has more than one built-in tool.
    mcpServers: async () =>
      (await import("../mcp/configured-servers.js")).trustedServers({ places, roots, configuration }),
  }
  const haft = await library.openHaft(
    {
      roots,
      toolset: invocation.text("toolset") ?? (options.forAgent ? values.get("toolset") : "all"),
      rules: [...configuration.rules, ...(await policyRules(invocation, io)), ...(await flagRules(invocation))],
      mode: values.get("mode"),
      person,
      home: places.home,
      workspace: { directory, trusted: configuration.folders.every(({ trust }) => trust === "trusted") },
      sandbox: sandboxOf(setup, invocation),
      network: {
        grants: [...(values.get("net.grants") ?? []), ...invocation.list("grant-net")],
        proxy: proxyOf(setup, io.env),
        registries: registriesOf(setup, io.env),
        webSearch: webSearchOf(setup, io.env),
      },
      storage: {
        journal: options.journal,
        store: values.get("store"),
        configHome: places.configHome,
        retention: retentionOf(setup),
      },
      output: { limits: Object.fromEntries(values.members("limits")) },
      box: { minIsolation: values.get("box.minIsolation"), defaultImage: values.get("box.defaultImage") },
      git: gitOf(setup, (text) => note(invocation, io, text)),
      skills: { paths: (values.get("skills.paths") ?? []).map((path) => resolve(directory, path)) },
      hooks: {
        commands: hooksOf(setup),
        onEvent: options.onEvent,
        saveProjectRule: (rule) => saveAnswer(setup, rule),
        settings: toolSettings({ configuration, roots, userFile: places.userFile }),
      },
    },
    program,
  )
  return { haft, setup, headless: person === "headless" }
}

/** The rules of another system's mode, with the authority of a flag; says where they are stricter than that system. */
async function policyRules(invocation: Invocation, io: Io): Promise<readonly PlacedRule[]> {
  const named = invocation.text("policy")
  if (named === undefined) return []
  const { policyNamed } = await import("@haft/dialects")
  const { rules, notes } = await policyNamed(named)
  for (const text of notes) note(invocation, io, `note: ${named}: ${text}`)
  return rules.map((rule) => ({ ...rule, source: { scope: "flag" } }))
}

/** Most tools are opened alone: making the schemas of all takes longer than a call. */
async function onlyTool(
  invocation: Invocation,
  tool: SpokenTool | undefined,
): Promise<Pick<ProgramOptions, "only" | "known">> {
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
  const style = styleFor(io.stderr, io.env, invocation.color)
  const { stderr, env, interrupt } = io
  const terminal = {
    // Opened when the first question comes.
    get stdin() {
      return keyboard()
    },
    ...{ stderr, env, interrupt },
  }
  return terminalPerson(terminal, style)
}

function sandboxOf({ configuration: { values } }: Setup, invocation: Invocation): SandboxOptions {
  const secrets = invocation.list("env-secret")
  return {
    policy: values.get("sandbox"),
    readable: values.get("readable"),
    // A secret that is named for this run need not be listed twice.
    env: [...(values.get("env") ?? []), ...invocation.list("env"), ...secrets],
    envSecrets: secrets,
    unconfined: values.get("unconfined"),
  }
}

/** Only the user's own configuration can say that a missing git is installed, and from where. */
function gitOf({ configuration: { values } }: Setup, onProgress: (text: string) => void): GitOptions {
  return {
    install: values.get("git.install"),
    baseUrl: values.get("git.baseUrl"),
    sha256: values.get("git.sha256"),
    onProgress,
  }
}

/** Those of the user come first, then those of trusted folders. */
function hooksOf({ configuration: { values } }: Setup): HookSettings {
  return {
    PreToolUse: values.get("hooks.PreToolUse") ?? [],
    PostToolUse: values.get("hooks.PostToolUse") ?? [],
    PostToolUseFailure: values.get("hooks.PostToolUseFailure") ?? [],
  }
}

function retentionOf({ configuration: { values } }: Setup): RetentionOptions {
  const days = values.get("retention.history.maxDays")
  const hours = values.get("retention.sidecars.maxHours")
  return {
    history: { maxBytes: values.get("retention.history.maxBytes"), maxAgeMs: days && days * 86_400_000 },
    sidecars: { maxAgeMs: hours * 3_600_000 },
  }
}

/** Keeps an answer for the folder, outside of it. */
async function saveAnswer({ places, roots }: Setup, rule: BoundRule): Promise<PlacedRule> {
  const { addAnswer } = await import("../config/edit-config-file.js")
  const path = answersFile(places.configHome, roots[0]!)
  const { line } = addAnswer({ path, scope: "answers" }, rule, roots[0])
  return { ...rule, source: { scope: "local", file: shortPath(path, places.userHome), line } }
}
