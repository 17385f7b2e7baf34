import { readFileSync, realpathSync, statSync } from "node:fs"
import { dirname, join, resolve } from "node:path"
import { bestEffort } from "@haft/contract"
import { type Destination, parseDestination } from "../../address/destination.js"
import { findOwnProgram } from "../../sandbox/environment/programs.js"
import { ask, entriesOf, type FoundSetting, type Machine, textOf } from "./machine.js"

/** The indexes of pip and, for the index it was made with, the host that serves its files. */
async function pipAddresses(machine: Machine): Promise<readonly FoundSetting[]> {
  const python = findOwnProgram("python3", machine.searchPath, machine.roots)
  if (python === undefined) return []
  const [settings, builtIn] = await Promise.all([
    ask(python, ["-m", "pip", "--isolated", "config", "list"], machine).then(
      async (text) => text + (await ask(python, ["-m", "pip", "config", "list"], machine)),
    ),
    ask(python, ["-I", "-c", defaultIndex], machine),
  ])
  const configured = [...settings.matchAll(/^[\w:.-]*\.(index-url|extra-index-url|find-links)='(.*)'$/gm)]
  const replaces = configured.some(([, name]) => name === "index-url")
  return [
    ...[...settings.matchAll(/^[\w:.-]*\.cert='(.*)'$/gm)].map(([, certificates]) => ({ certificates: certificates! })),
    ...configured.flatMap(([, name, value]) =>
      value!.split(/\s+/).map((address) => ({ address, variables: variables[name!] ?? [] })),
    ),
    ...(replaces ? [] : builtIn.split("\n").map((line) => (line.includes("://") ? line : `https://${line}`))),
  ]
}

const variables: Readonly<Record<string, readonly string[]>> = {
  "index-url": ["PIP_INDEX_URL", "UV_DEFAULT_INDEX"],
  "extra-index-url": ["PIP_EXTRA_INDEX_URL", "UV_INDEX"],
}

const defaultIndex =
  "from pip._internal.models.index import PyPI as i; print(i.simple_url); print(i.file_storage_domain)"

const bundles = {
  npm: { addresses: npmAddresses, uploads: true, ofUser: true },
  pip: { addresses: pipAddresses, uploads: true, ofUser: true },
  cargo: { addresses: cargoAddresses, uploads: true, ofUser: true },
  apt: { addresses: aptAddresses, uploads: false, ofUser: true },
  // A repository names its own remotes, so they are no word of the user.
  git: { addresses: gitAddresses, uploads: true, ofUser: false },
} as const

/** The bundles whose hosts come from settings of this machine. */
export const bundleNames = Object.keys(bundles) as readonly (keyof typeof bundles)[]

/** The destinations of a bundle. */
export interface ResolvedBundle {
  readonly destinations: readonly Destination[]
  /** Some of them take uploads from clients that have a credential; none is inside the sandbox. */
  readonly uploads: boolean
  /** They are in the user's own settings, so an address that is not public is meant. */
  readonly ofUser: boolean
  readonly settings: readonly BundleSetting[]
  /** Files with certificates that the package manager trusts. */
  readonly certificates: readonly string[]
}

/** An address of the user's settings, and the variable that tells a package manager the same. */
export interface BundleSetting {
  readonly variable: string
  /** Without user and password. */
  readonly address: string
  readonly destination: Destination
  /** Further variables, where the registry is a private one. */
  readonly besides?: Readonly<Record<string, string>>
}

/** Finds the hosts of `@npm`, `@pip`, `@cargo`, `@apt` or `@git` in settings of this machine; none is written down here. */
export async function resolveBundle(name: string, machine: Machine): Promise<ResolvedBundle | undefined> {
  const bare = name.replace(/^@/, "")
  if (!Object.hasOwn(bundles, bare)) return undefined
  const { addresses, uploads, ofUser } = bundles[bare as keyof typeof bundles]
  const found: readonly FoundSetting[] = await addresses(machine)
  const distinct = new Map<string, Destination>()
  const settings: BundleSetting[] = []
  const certificates: string[] = []
  for (const one of found) {
    if (typeof one === "object" && "certificates" in one) {
      certificates.push(one.certificates)
      continue
    }
    const { address, variables, besides } = typeof one === "string" ? { ...noVariables, address: one } : one
    const [destination] = destinationOf(address)
    if (!destination) continue
    distinct.set(`${destination.below}${destination.host}:${destination.port}`, destination)
    const shown = address.replace(/\/\/[^@/]*@/, "//")
    settings.push(
      ...variables.map((variable) => ({ variable, address: shown, destination, ...(besides && { besides }) })),
    )
  }
  return { destinations: [...distinct.values()], uploads, ofUser, settings, certificates }
}

const noVariables: { readonly variables: readonly string[]; readonly besides?: undefined } = { variables: [] }

const defaultPorts: Readonly<Record<string, number>> = { "https:": 443, "http:": 80, "ssh:": 22, "git:": 9418 }

function destinationOf(address: string): readonly Destination[] {
  const [, scheme, host, port] =
    /^(?:sparse\+|git\+)?(https?:|ssh:|git:)\/\/(?:[^@/]*@)?(\[[^\]]+\]|[^:/?#\s]+)(?::(\d+))?/.exec(address) ?? []
  if (scheme === undefined || host === undefined) return []
  const destination = parseDestination(`${host}:${port ?? defaultPorts[scheme]}`)
  return destination ? [destination] : []
}

/** The package sources of apt, in both of its formats. */
async function aptAddresses({ settings = "/etc" }: Machine): Promise<readonly string[]> {
  const folder = join(settings, "apt")
  const files = entriesOf(join(folder, "sources.list.d"))
  const lines = [join(folder, "sources.list"), ...files.filter((path) => path.endsWith(".list"))].flatMap((path) =>
    [...textOf(path).matchAll(/^\s*deb(?:-src)?\s+(?:\[[^\]]*\]\s+)?(\S+)/gm)].map(([, url]) => url!),
  )
  const blocks = files
    .filter((path) => path.endsWith(".sources"))
    .flatMap((path) => textOf(path).split(/\n\s*\n/))
    .filter((block) => !/^Enabled:\s*no/im.test(block))
    .flatMap((block) => [...block.matchAll(/^URIs:((?:[^\n]|\n[ \t])*)/gim)].flatMap(([, urls]) => urls!.split(/\s+/)))
  return [...lines, ...blocks]
}

/** The registries of npm, the default one and those of scopes, and whom it trusts. */
async function npmAddresses(machine: Machine): Promise<readonly FoundSetting[]> {
  const npm = findOwnProgram("npm", machine.searchPath, machine.roots)
  if (npm === undefined) return []
  const settings = parse(await ask(npm, ["config", "list", "--long", "--json"], machine))
  return Object.entries(settings).flatMap(([name, value]): readonly FoundSetting[] => {
    if (typeof value !== "string") return []
    if (name === "cafile") return [{ certificates: value }]
    if (name === "registry") return [{ address: value, variables: ["npm_config_registry", "YARN_NPM_REGISTRY_SERVER"] }]
    return name.endsWith(":registry") ? [{ address: value, variables: [`npm_config_${name}`] }] : []
  })
}

function parse(text: string): Record<string, unknown> {
  return bestEffort("a configuration that cannot be read names no registry", () => Object(JSON.parse(text))) ?? {}
}

/** The remotes of the repositories at the roots. Their settings are read as text: git itself would obey them. */
async function gitAddresses({ roots }: Machine): Promise<readonly string[]> {
  return roots.flatMap((root) => remotesIn(textOf(join(gitFolder(root), "config"))))
}

function remotesIn(config: string): readonly string[] {
  const sections = config.split(/^(?=\s*\[)/m).filter((section) => /^\s*\[remote\s/.test(section))
  return sections
    .flatMap((section) =>
      [...section.matchAll(/^\s*(?:push)?url\s*=\s*"?([^"\n]+)"?\s*$/gim)].map(([, url]) => url!.trim()),
    )
    .map(asAddress)
}

/** `user@host:path` is how git writes ssh. */
function asAddress(url: string): string {
  const short = /^(?:[\w.-]+@)?([\w.-]+):(?!\/\/)/.exec(url)
  return short ? `ssh://${short[1]}:22` : url
}

/** A worktree or submodule has a file that says where its repository is; a worktree's settings are in the common one. */
function gitFolder(root: string): string {
  const path = join(root, ".git")
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory()) return path
  const target = /^gitdir:\s*(.+?)\s*$/m.exec(textOf(path))?.[1]
  if (target === undefined) return path
  const folder = resolve(root, target)
  const common = textOf(join(folder, "commondir")).trim()
  return common === "" ? folder : resolve(dirname(join(folder, "commondir")), common)
}

/** The registries of cargo: configured ones, those it fetched from before, and the one it was made with. */
async function cargoAddresses(machine: Machine): Promise<readonly FoundSetting[]> {
  const folder = machine.variables.CARGO_HOME ?? join(machine.home, ".cargo")
  const settings = ["config.toml", "config"].map((name) => textOf(join(folder, name))).join("\n")
  const configured = [...settings.matchAll(/^\s*(?:registry|index|dl)\s*=\s*["']([^"']+)["']/gm)].map(([, url]) => url!)
  const known = entriesOf(join(folder, "registry", "index")).flatMap(downloadsOf)
  const replaced = /^\s*\[source\.["']?crates-io["']?\]/m.test(settings)
  const certificates = /^\s*cainfo\s*=\s*["']([^"']+)["']/m.exec(settings)?.[1]
  return [
    ...(certificates === undefined ? [] : [{ certificates }]),
    ...configured,
    ...registriesIn(settings),
    ...known,
    ...(replaced ? [] : await builtIn(machine)),
  ]
}

/** Registries that have a name; only these can be named by a variable. */
function registriesIn(settings: string): readonly FoundSetting[] {
  const blocks = settings.matchAll(/^\s*\[registries\.["']?([\w-]+)["']?\]([^[]*)/gm)
  return [...blocks].flatMap(([, name, block]) => {
    const address = /^\s*index\s*=\s*["']([^"']+)["']/m.exec(block!)?.[1]
    const prefix = `CARGO_REGISTRIES_${name!.toUpperCase().replaceAll("-", "_")}`
    // A registry may say that it wants a token; then cargo asks nothing without one, whatever it is.
    const besides = {
      [`${prefix}_CREDENTIAL_PROVIDER`]: "cargo:token",
      [`${prefix}_TOKEN`]: "kept-outside-the-sandbox",
    }
    return address === undefined ? [] : [{ address, variables: [`${prefix}_INDEX`], besides }]
  })
}

/** An index names the host of its files in `config.json`. */
function downloadsOf(index: string): readonly string[] {
  return [...textOf(join(index, "config.json")).matchAll(/"(?:dl|api)"\s*:\s*"([^"{]+)/g)].map(([, url]) => url!)
}

/**
 * The index that is written into the program itself. Where its files are is known only after the first answer, so the
 * hosts beside it are included.
 */
async function builtIn(machine: Machine): Promise<readonly string[]> {
  const cargo = findOwnProgram("cargo", machine.searchPath, machine.roots)
  if (cargo === undefined) return []
  const rustup = findOwnProgram("rustup", machine.searchPath, machine.roots)
  const program = rustup === undefined ? cargo : (await ask(rustup, ["which", "cargo"], machine)).trim() || cargo
  const found = /sparse\+https:\/\/[\w.-]+\//.exec(readFileSync(realpathSync(program), "latin1"))?.[0]
  if (found === undefined) return []
  const { hostname } = new URL(found.slice("sparse+".length))
  const parent = hostname.split(".").slice(1).join(".")
  return [`https://${hostname}`, ...(parent.includes(".") ? [`https://*.${parent}`] : [])]
}
