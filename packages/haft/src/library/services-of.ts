import { join } from "node:path"
import { type Settings, ToolError } from "@haft/contract"
import type { ServiceOptions } from "@haft/host"
import type { SessionSetting } from "./open-session.js"
import { launcherFile } from "./use-counter.js"

/** What a session reaches besides files and processes. Nothing is looked at before a tool asks for it. */
export function servicesOf({ options, places, roots, registry }: SessionSetting): ServiceOptions {
  const { netGrants = [], proxy, webSearch, skillFolders = [], settings } = options
  const trusted = options.trustsSkill ?? options.trusted ?? false
  return {
    compute: async () => (await import("@haft/compute")).createCompute(),
    network: { netGrants, ...(proxy ? { proxy } : {}) },
    clipboard: async () => (await import("@haft/desktop")).createClipboard({ environment: process.env, roots }),
    launcher: async (skills) =>
      (await import("@haft/desktop")).createLauncherIndex({
        databaseFile: join(places.home, launcherFile),
        roots,
        commands: options.commands ?? [],
        tools: registry.tools.map(({ manifest }) => ({ id: manifest.id, name: manifest.title })),
        skills,
      }),
    skills: async () =>
      (await import("@haft/project")).openSkills({
        ...{ roots, userHome: places.userHome, configured: skillFolders, bundled: options.bundledSkills, trusted },
      }),
    ...(webSearch ? { webSearch } : {}),
    settings: () => settings ?? noSettings,
  }
}

const noSettings: Settings = { get: refuse, set: refuse }

async function refuse(): Promise<never> {
  throw new ToolError("not_configured", "Cannot use settings: this program gave its sessions none", {
    hint: "Pass `settings` to createHaft",
  })
}
