import { dirname, join } from "node:path"
import { capabilityNames, type PlacedRule, type RequirementSet, type Rule } from "@haft/contract"
import { builtinDetectors, type Detector, defaultRules, parseWholeRule, type Variables } from "@haft/guard"
import { temporaryFolders } from "@haft/host"
import type { CallSessionOptions } from "@haft/runtime"
import { searchHosts } from "@haft/tools"
import type { SessionSetting } from "./open-session.js"
import type { HaftOptions } from "./options.js"
import { webSearchOf } from "./services-of.js"

type Authority = Pick<
  CallSessionOptions,
  "variables" | "grant" | "requires" | "netGrants" | "unconfined" | "confines" | "rules" | "detectors"
>

/** What decides about the calls of a session, besides what a person saves in it. */
export function authorityOf(setting: SessionSetting, folder: string): Authority {
  const { options } = setting
  const { guard = {}, sandbox = {}, network = {} } = options
  return {
    variables: variablesOf(setting, folder),
    grant: guard.grant ?? wholeRoots,
    requires: guard.manifest?.requires ?? {},
    netGrants: network.grants ?? [],
    unconfined: sandbox.unconfined ?? [],
    confines: sandbox.policy !== "off",
    rules: [...defaultRules(), ...harmlessTools(options), ...grantRules(options), ...placedRules(options)],
    detectors: withOwnDetectors(guard.detectors ?? []),
  }
}

/** Tools of the host that need nothing of the world run unasked: the host that registered them vouches for their code. */
function harmlessTools({ tools = [] }: HaftOptions): readonly PlacedRule[] {
  return tools
    .filter(({ manifest: { requires, command } }) => Object.keys(requires).length === 0 && command === undefined)
    .map(({ manifest: { id } }) => ({ action: "allow", permission: id, source: { scope: "defaults" } }))
}

// The host's ceiling where the caller names none: the roots, and commands in a sandbox.
const wholeRoots: RequirementSet = {
  shell: [{ cmd: "*" }],
  net: { hosts: ["*"] },
  capabilities: capabilityNames,
  fs: {
    read: ["{workspace}/**", "{ad-hoc}/**", "{user-data}/**"],
    write: ["{workspace}/**", "{ad-hoc}/**", "{user-data}/**"],
  },
}

/** Where every command has a view of its own, /tmp is the session's, for commands and tools alike. */
export function hasOwnTemporary({ options }: SessionSetting): boolean {
  return process.platform === "linux" && (options.sandbox?.policy ?? "required") === "required"
}

/** Paths that the session sees as they are, although they may be below /tmp. */
export function keptOfTemporary({ places, roots }: SessionSetting): readonly string[] {
  const own = [places.userHome, places.home, places.configHome]
  // A home directory that is /tmp itself does not make all of it the machine's.
  return [...roots, ...own.filter((path) => !temporaryFolders.some((folder) => folder === path))]
}

function variablesOf(setting: SessionSetting, folder: string): Variables {
  const { options, places, roots } = setting
  return {
    workspace: roots,
    adHoc: (options.workspace?.adHocFiles ?? []).map((file) => dirname(file)),
    userData: join(places.home, "data"),
    home: places.userHome,
    haftHome: places.home,
    haftConfig: places.configHome,
    scratch: [join(folder, "scratch")],
    sidecars: [join(folder, "out")],
    searchHosts: searchHosts(webSearchOf(options.network?.webSearch)),
    tmp: hasOwnTemporary(setting) ? [join(folder, "tmp")] : [],
  }
}

function placedRules({ rules = [], guard = {} }: HaftOptions): readonly PlacedRule[] {
  return [
    ...rules.map((rule) => {
      if (typeof rule === "string") return placed(parseWholeRule(rule), "flag")
      return "source" in rule ? rule : placed(rule, "flag")
    }),
    ...(guard.manifest?.rules ?? []).map((rule) => placed(rule, "manifest")),
  ]
}

/** A granted host needs no further permission: otherwise each request would still have to be allowed. */
function grantRules({ network: { grants = [] } = {} }: HaftOptions): readonly PlacedRule[] {
  return grants.map((host) => ({
    permission: "net.fetch",
    pattern: host,
    action: "allow",
    source: { scope: "flag" },
  }))
}

function placed(rule: Rule, scope: "flag" | "manifest"): PlacedRule {
  return { ...rule, source: { scope } }
}

/** A detector of the host replaces the built-in one with its id. */
function withOwnDetectors(own: readonly Detector[]): readonly Detector[] {
  return [...builtinDetectors().filter(({ id }) => !own.some((each) => each.id === id)), ...own]
}
