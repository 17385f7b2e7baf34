import { existsSync } from "node:fs"
import { join } from "node:path"
import { ToolError } from "@haft/contract"
import { folderIdentity } from "../trust/folder-identity.js"
import { readTrust, type TrustState, trustOf } from "../trust/trust-store.js"
import { answersFile } from "./answers-file.js"
import { type Combined, combineLayers } from "./combine-layers.js"
import type { ConfigFile, ConfigScope } from "./config-file.js"
import { environmentLayers } from "./environment-layer.js"
import type { Layer } from "./layer.js"
import { type Environment, type Places, shortPath } from "./places.js"
import { readTextFile } from "./read-text-file.js"
import { settingOf } from "./setting.js"

/** What a configuration is made from. */
export interface ConfigurationRequest {
  readonly env: Environment
  readonly places: Places
  readonly roots: readonly string[]
  readonly flags: Readonly<Record<string, unknown>>
  /** The output limit that a tool has by itself; asked only when a file sets limits. */
  readonly defaultLimit: (tool: string) => number | undefined
}

/** The settings and rules that hold, and how they came about. */
export interface Configuration extends Combined {
  readonly layers: readonly Layer[]
  /** The roots, how they stand, and the hashes of what a person saw when trusting them. */
  readonly folders: readonly {
    readonly root: string
    readonly trust: TrustState
    readonly entries: ReadonlySet<string>
  }[]
}

/** Reads every source and puts them together: user, answers, project, local, environment, flags; managed last. */
export async function loadConfiguration(request: ConfigurationRequest): Promise<Configuration> {
  const { env, places, roots, flags, defaultLimit } = request
  const projects = await Promise.all(roots.map((root) => readProject(root, places, roots.length > 1)))
  checkChosenFile(places)
  const layers = [
    ...(await readLayer(places.userFile, "user", shortPath(places.userFile, places.userHome))),
    ...projects.flatMap(({ answers }) => answers),
    ...projects.flatMap(({ shared }) => shared),
    ...projects.flatMap(({ local }) => local),
    ...environmentLayers(env),
    flagLayer(flags),
    ...(await readLayer(places.managedFile, "managed", places.managedFile)),
  ]
  const combined = combineLayers(layers, (key) => {
    return key.startsWith("limits.") ? defaultLimit(key.slice("limits.".length)) : settingOf(key)?.initial
  })
  return { ...combined, layers, folders: projects.map(({ root, trust, entries }) => ({ root, trust, entries })) }
}

/** A file that the user named must exist: the user relies on what it says. */
function checkChosenFile({ chosen, userFile }: Places): void {
  if (!chosen.some(({ variable }) => variable === "HAFT_CONFIG") || existsSync(userFile)) return
  throw new ToolError("not_configured", `Cannot use "${userFile}": HAFT_CONFIG names it, and it does not exist`, {
    hint: "Write {} into it, or unset HAFT_CONFIG",
  })
}

interface Project {
  readonly root: string
  readonly trust: TrustState
  readonly entries: ReadonlySet<string>
  readonly answers: readonly Layer[]
  readonly shared: readonly Layer[]
  readonly local: readonly Layer[]
}

async function readProject(root: string, places: Places, several: boolean): Promise<Project> {
  const nameOf = (file: string) => (several ? join(root, file) : file)
  const read = (file: string, scope: ConfigScope) => readLayer(join(root, file), scope, nameOf(file))
  const [shared, local] = await Promise.all([read("haft.jsonc", "project"), read("haft.local.jsonc", "local")])
  const path = answersFile(places.configHome, root)
  const answers = await readLayer(path, "answers", shortPath(path, places.userHome))
  const { state, entries } = trustOf(readTrust(places.configHome), folderIdentity(root))
  const withTrust = (layer: Layer): Layer => ({
    ...layer,
    trusted: entries,
    inactive: `${inactiveReason[state]}; to trust it: haft trust ${shellWord(root)}`,
  })
  return { root, trust: state, entries, answers, shared: shared.map(withTrust), local: local.map(withTrust) }
}

const inactiveReason: Readonly<Record<TrustState, string>> = {
  untrusted: "the folder is not trusted",
  replaced: "another folder is at the trusted path now",
  trusted: "new or changed since the folder was trusted",
}

function shellWord(path: string): string {
  return /^[\w./:@%+=,-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`
}

async function readLayer(path: string, scope: ConfigScope, name: string): Promise<readonly Layer[]> {
  const text = readTextFile(path)
  if (text === undefined) return []
  // Loaded only now: most folders have no configuration, and every call pays for what start-up loads.
  const { parseConfigFile } = await import("./parse-config-file.js")
  const file: ConfigFile = parseConfigFile(text, { path, name, scope })
  return [file]
}

function flagLayer(flags: Readonly<Record<string, unknown>>): Layer {
  const entries = Object.entries(flags).filter(([, value]) => value !== undefined)
  return { scope: "flag", name: "flag", entries: entries.map(([key, value]) => ({ key, value, line: 0 })), rules: [] }
}
