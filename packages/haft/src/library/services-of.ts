import { join } from "node:path"
import { defaultWebSearchSettings, type Settings, ToolError, type WebSearchSettings } from "@haft/contract"
import type { ServiceOptions } from "@haft/host"
import type { SessionSetting } from "./open-session.js"
import { launcherFile, type UseCounter } from "./use-counter.js"

/** What a session reaches besides files and processes. Nothing is looked at before a tool asks for it. */
export function servicesOf(
  { options, program, places, roots, registry }: SessionSetting,
  uses: UseCounter,
): ServiceOptions {
  const { network = {}, skills: { paths = [] } = {}, hooks = {} } = options
  const trusted = program.trustsSkill ?? options.workspace?.trusted ?? false
  return {
    compute: async () => (await import("@haft/compute")).createCompute(),
    network: { netGrants: network.grants ?? [], proxy: network.proxy },
    clipboard: async () => (await import("@haft/desktop")).createClipboard({ environment: process.env, roots }),
    launcher: async (skills) =>
      (await import("@haft/desktop")).createLauncherIndex({
        databaseFile: join(places.home, launcherFile),
        roots,
        commands: program.commands ?? [],
        tools: registry.tools.map(({ manifest }) => ({ id: manifest.id, name: manifest.title })),
        skills,
        changes: () => uses.changes,
      }),
    skills: async () =>
      (await import("@haft/project")).openSkills({
        ...{ roots, userHome: places.userHome, configured: paths, bundled: program.bundledSkills, trusted },
      }),
    webSearch: webSearchOf(network.webSearch),
    settings: () => hooks.settings ?? noSettings,
  }
}

/** What the host gave for searches, with the usual values for the rest. */
export function webSearchOf(given: Partial<WebSearchSettings> = {}): WebSearchSettings {
  const { endpoints, keys, callsPerSession, timeoutMs } = defaultWebSearchSettings
  return {
    provider: given.provider,
    endpoints: given.endpoints ?? endpoints,
    keys: given.keys ?? keys,
    callsPerSession: given.callsPerSession ?? callsPerSession,
    timeoutMs: given.timeoutMs ?? timeoutMs,
  }
}

const noSettings: Settings = { get: refuse, set: refuse }

async function refuse(): Promise<never> {
  throw new ToolError("not_configured", "Cannot use settings: this program gave its sessions none", {
    hint: "Pass `hooks: { settings }` to createHaft",
  })
}
