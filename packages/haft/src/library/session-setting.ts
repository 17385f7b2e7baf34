import { realpathSync, statSync } from "node:fs"
import { join, resolve } from "node:path"
import { bestEffort, nearestNames, type ToolDefinition, ToolError } from "@haft/contract"
import { wideRoot } from "@haft/guard"
import { createRegistry } from "@haft/runtime"
import { catalog, loadTool, toolsInSets } from "@haft/tools"
import { findPlaces, type Places, rootPlaces } from "../config/places.js"
import type { DriveRequest } from "./driven-session.js"
import type { SessionSetting } from "./open-session.js"
import type { HaftOptions, ProgramOptions } from "./options.js"
import { StoreOpener } from "./session-journal.js"
import { withFixedSecrets } from "./with-fixed-secrets.js"

/** The journal, which is opened at first use. */
export function openerFor({ network = {}, storage = {} }: HaftOptions, places: Places): StoreOpener {
  return new StoreOpener({
    home: places.home,
    location: storage.store ?? join(places.home, "journal.db"),
    secrets: [...(storage.secrets ?? environmentSecrets(process.env)), ...withFixedSecrets(network.registries).secrets],
  })
}

/** What sessions with these options share, besides the telemetry, of which a Haft has one. */
export async function settingFor(
  options: HaftOptions,
  program: ProgramOptions,
  opener: StoreOpener,
): Promise<Omit<SessionSetting, "telemetry">> {
  const { workspace = {}, network = {}, storage = {} } = options
  const places = placesFor(options)
  const roots = rootsFor(options, places)
  const { registries } = withFixedSecrets(network.registries)
  return {
    options: { ...options, network: { ...network, registries } },
    program,
    places,
    roots,
    directory: workspace.directory === undefined ? roots[0]! : realFolder(workspace.directory, "directory"),
    registry: createRegistry([...(await builtinTools(options, program)), ...(options.tools ?? [])]),
    opener: storage.journal === false ? undefined : opener,
  }
}

/** The options of one session that differs from the others. In other folders nothing is trusted. */
export function changedOptions(options: HaftOptions, { change = {} }: DriveRequest): HaftOptions {
  if (change.roots === undefined) return { ...options, ...change }
  const { directory: _, trusted: __, ...workspace } = options.workspace ?? {}
  return { ...options, ...change, workspace }
}

/** The options over what the configuration says; lists of rules and grants add up. */
export async function configured(given: HaftOptions): Promise<{ options: HaftOptions; program: ProgramOptions }> {
  const places = placesFor(given)
  const roots = rootsFor(given, places)
  const { readConfiguration } = await import("./read-configuration.js")
  const { options, program } = await readConfiguration({ places, roots, given })
  const groups = ["workspace", "sandbox", "network", "storage", "output", "box", "git", "skills", "hooks"] as const
  const merged = groups.map((group) => [group, { ...options[group], ...given[group] }])
  const rules = [...(options.rules ?? []), ...(given.rules ?? [])]
  const all: HaftOptions = { ...options, ...given, ...Object.fromEntries(merged), rules }
  // What the machine's own file tightens holds over the program too.
  return { options: { ...all, mode: options.mode, sandbox: { ...all.sandbox, ...policyOf(options) } }, program }
}

function policyOf({ sandbox }: HaftOptions) {
  return sandbox?.policy === undefined ? {} : { policy: sandbox.policy }
}

export function placesFor({ home, storage: { configHome } = {} }: HaftOptions): Places {
  const places = findPlaces(process.env, process.cwd(), "/etc/haft/managed.jsonc")
  return {
    ...places,
    ...(home ? { home: resolve(home) } : {}),
    ...(configHome ? { configHome: resolve(configHome) } : {}),
  }
}

function rootsFor({ roots }: HaftOptions, places: Places): readonly string[] {
  const real = (roots ?? ["."]).map((root) => realFolder(root, "root"))
  const wide = roots === undefined && wideRoot(real[0]!, rootPlaces(places))
  if (!wide) return real
  throw new ToolError("invalid_args", `Cannot use "${real[0]}" as a root by default: ${wide}`, {
    hint: `Go to a project folder, or say it: --root ${real[0]}`,
  })
}

/** Synchronous: every command starts with it, and a hop to another thread takes longer than the look itself (bench: command-start). */
function realFolder(path: string, use: "root" | "directory"): string {
  const real = bestEffort("the error below names the folder", () => realpathSync.native(resolve(path)))
  if (real !== undefined && statSync(real).isDirectory()) return real
  const reason = real === undefined ? "there is no such directory" : "it is a file"
  throw new ToolError("not_found", `Cannot use "${path}" as a ${use}: ${reason}`, {
    hint: "Name a folder that exists",
  })
}

// Names that people give to variables with secrets in them.
const secretName = /(KEY|TOKEN|SECRET|PASSW|CREDENTIAL)/i

// Shorter values are words like "true" that are in every text.
const shortest = 8

/** The values of environment variables that must never be written down. */
function environmentSecrets(
  environment: Readonly<Record<string, string | undefined>>,
): readonly { readonly name: string; readonly value: string }[] {
  return Object.entries(environment).flatMap(([name, value]) =>
    value !== undefined && value.length >= shortest && secretName.test(name) && !value.startsWith("/")
      ? [{ name, value }]
      : [],
  )
}

/** The built-in tools that a Haft is made with. */
export async function builtinTools(
  { toolset = "locked,code" }: Pick<HaftOptions, "toolset">,
  { only }: Pick<ProgramOptions, "only"> = {},
): Promise<readonly ToolDefinition[]> {
  if (only === undefined) return toolsInSets(catalog, toolset)
  return Promise.all(only.map(async (id) => (await loadTool(id)) ?? unknownTool(id)))
}

function unknownTool(id: string): never {
  const [near] = nearestNames(
    id,
    catalog.map(({ manifest }) => manifest.id),
    1,
  )
  throw new ToolError("invalid_args", `Cannot use tool "${id}": there is no built-in tool of that id`, {
    hint: near === undefined ? undefined : `Did you mean "${near}"?`,
  })
}
