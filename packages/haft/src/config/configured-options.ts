import { resolve } from "node:path"
import { type BoundRule, type EditorBuffers, type PlacedRule, ToolError } from "@haft/contract"
import { hasExtensions } from "../extensions/has-extensions.js"
import type { HookSettings } from "../hooks/hook-entry.js"
import type { HaftOptions, ProgramOptions, RetentionOptions } from "../library/options.js"
import { skillTrust } from "../trust/skill-trust.js"
import { answersFile } from "./answers-file.js"
import type { Configuration } from "./load-configuration.js"
import { type Environment, type Places, shortPath } from "./places.js"
import { registriesOf } from "./registries-of.js"
import type { SettingValues } from "./setting-values.js"
import { toolSettings } from "./tool-settings.js"
import { variablesFor } from "./variables.js"
import { proxyOf, webSearchOf } from "./web-settings.js"

/** A configuration with the places and roots that it was read for. */
export interface Configured {
  readonly places: Places
  readonly roots: readonly string[]
  readonly directory: string
  readonly configuration: Configuration
}

/** What a configuration says, as options of a Haft. */
export function configuredOptions(configured: Configured, env: Environment): HaftOptions {
  const { places, roots, directory, configuration } = configured
  const { values } = configuration
  return {
    roots,
    toolset: values.get("toolset"),
    rules: configuration.rules,
    mode: values.get("mode"),
    home: places.home,
    workspace: { directory, trusted: configuration.folders.every(({ trust }) => trust === "trusted") },
    sandbox: {
      policy: values.get("sandbox"),
      readable: values.get("readable"),
      env: values.get("env"),
      unconfined: values.get("unconfined"),
    },
    network: {
      grants: values.get("net.grants"),
      proxy: proxyOf(configured, env),
      registries: registriesOf(configured, env),
      webSearch: webSearchOf(configured, env),
    },
    storage: { store: values.get("store"), configHome: places.configHome, retention: retentionOf(values) },
    output: { limits: Object.fromEntries(values.members("limits")) },
    box: { minIsolation: values.get("box.minIsolation"), defaultImage: values.get("box.defaultImage") },
    // Only the user's own configuration can say that a missing git is installed, and from where.
    git: {
      install: values.get("git.install"),
      baseUrl: values.get("git.baseUrl"),
      sha256: values.get("git.sha256"),
    },
    skills: { paths: (values.get("skills.paths") ?? []).map((path) => resolve(directory, path)) },
    hooks: {
      commands: hooksOf(values),
      saveProjectRule: (rule) => saveAnswer(configured, rule),
      settings: toolSettings({ configuration, roots, userFile: places.userFile }),
    },
  }
}

/** What trust of the folders and the servers of a configuration give besides. */
export function configuredProgram(configured: Configured, editor?: Editor): ProgramOptions {
  const { places, roots, configuration } = configured
  const named = editor && { editor: editor.mcpServers }
  return {
    trustsSkill: skillTrust(configuration),
    // Loaded where a session has more than one built-in tool.
    mcpServers: async () =>
      (await import("../mcp/configured-servers.js")).trustedServers({ places, roots, configuration, ...named }),
    ...(editor && { editor: editor.buffers }),
    ...(hasExtensions(places) && {
      extensions: async () =>
        new (await import("../extensions/installed-extensions.js")).InstalledExtensions(places).enabled(),
    }),
  }
}

/** The editor that a session is for: its files, and the MCP servers that it names. */
export interface Editor {
  readonly buffers: EditorBuffers
  readonly mcpServers: Readonly<Record<string, unknown>>
}

/** A rule of a file that cannot be understood is a broken set-up and stops the start. */
export async function checkFileRules(configured: Configured): Promise<void> {
  const { rules } = configured.configuration
  if (rules.length === 0) return
  const { compileRules } = await import("@haft/guard")
  try {
    compileRules(rules, variablesFor(configured))
  } catch (error) {
    if (!ToolError.is(error)) throw error
    throw new ToolError("not_configured", error.message, {
      hint: error.fix ?? error.hint ?? "Correct the file, then run: haft doctor",
    })
  }
}

/** Those of the user come first, then those of trusted folders. */
function hooksOf(values: SettingValues): HookSettings {
  return {
    PreToolUse: values.get("hooks.PreToolUse") ?? [],
    PostToolUse: values.get("hooks.PostToolUse") ?? [],
    PostToolUseFailure: values.get("hooks.PostToolUseFailure") ?? [],
  }
}

function retentionOf(values: SettingValues): RetentionOptions {
  const days = values.get("retention.history.maxDays")
  const hours = values.get("retention.sidecars.maxHours")
  return {
    history: { maxBytes: values.get("retention.history.maxBytes"), maxAgeMs: days && days * 86_400_000 },
    sidecars: { maxAgeMs: hours * 3_600_000 },
  }
}

/** Keeps an answer for the folder, outside of it. */
async function saveAnswer(
  { places, roots }: Pick<Configured, "places" | "roots">,
  rule: BoundRule,
): Promise<PlacedRule> {
  const { addAnswer } = await import("./edit-config-file.js")
  const path = answersFile(places.configHome, roots[0]!)
  const { line } = addAnswer({ path, scope: "answers" }, rule, roots[0])
  return { ...rule, source: { scope: "local", file: shortPath(path, places.userHome), line } }
}
