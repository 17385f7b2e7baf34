import {
  type ArgumentPattern,
  type Destination,
  type FileEffectKind,
  type Hint,
  isInside,
  type Located,
  type ShellRequirement,
} from "@haft/contract"
import { fold } from "../path.js"
import { wideRoot } from "../roots/wide-root.js"
import { defaultRules } from "../rules/defaults/default-rules.js"
import { matchesHost } from "../rules/pattern/host-pattern.js"
import type { Variables } from "../variables.js"
import { type CapabilityRequest, type CapabilityVerdict, type PathScope, type Scope, scopesOf } from "./scope.js"

/** Holds every effect of a call against what the tool declared and what it was granted. What is not covered is denied. */
export function checkCapability(request: CapabilityRequest): CapabilityVerdict {
  for (const name of request.tool.capabilities) {
    if (!request.granted.capabilities.has(name)) return deny(`it needs "${name}", which this session was not granted`)
  }
  for (const effect of request.effects) {
    const refusal = effect.kind === "net.fetch" ? checkHost(effect, request) : checkFile(effect, request)
    if (refusal) return refusal
  }
  for (const argv of request.commands ?? []) {
    const refusal = checkCommand(argv, request)
    if (refusal) return refusal
  }
  return pass
}

const pass: CapabilityVerdict = { verdict: "pass", reason: "every effect is inside the declared and the granted scope" }

function checkHost(effect: Destination, request: CapabilityRequest): CapabilityVerdict | undefined {
  const outside = scopesOf(request).find(
    ([scope]) =>
      !scope.everyHost &&
      !(effect.isProxy && scope === request.tool && scope.proxies) &&
      !scope.hosts.some((pattern) => matchesHost(pattern, effect, false)),
  )
  if (!outside) return undefined
  return { verdict: "deny", reason: `the host "${effect.host}" is outside ${outside[1]}` }
}

function checkCommand(argv: readonly string[], request: CapabilityRequest): CapabilityVerdict | undefined {
  const { agentShell } = request
  const place =
    scopesOf(request).find(([scope]) => !matchesShell(scope.shell, argv))?.[1] ??
    (agentShell && !matchesShell(agentShell, argv) ? "what the manifest of this agent declares" : undefined)
  if (place === undefined) return undefined
  return { verdict: "deny", reason: `the command "${argv.join(" ")}" is outside ${place}` }
}

/** A file effect of a call. */
export interface FileEffect {
  readonly kind: FileEffectKind
  readonly at: Located
}

/** Why a file is out of reach, or undefined when every scope contains it. */
function checkFile(effect: FileEffect, request: CapabilityRequest): CapabilityVerdict | undefined {
  const { at, kind } = effect
  if (isMalformed(at)) return deny(`${nameOf(at)} is not a usable path`)
  if (at.kind === "other") {
    return deny(`${nameOf(at)} is a device, a pipe or a socket`, "Name a regular file or a directory")
  }

  const floor = floorOf(request.variables)
  const below = floor(at.resolved) ?? (at.absolute === at.resolved ? undefined : floor(at.absolute))
  if (below) return deny(`${nameOf(at)} ${below}`)

  if (isOwnSpace(effect, request.variables)) return undefined
  if (request.mode === "plan" && kind !== "fs.read" && at.resolved !== request.variables.planFile) {
    return deny(`mode plan writes only the plan file and scratch, not ${nameOf(at)}`, {
      say: "End the plan with {tool:plan_exit} to change files",
    })
  }
  return checkScopes(effect, request)
}

/** The path as messages show it. */
function nameOf({ spelled, absolute, meant }: Located): string {
  return `"${spelled.replaceAll("\0", "\\0")}"${meant === undefined ? "" : ` (${absolute})`}`
}

function checkScopes(effect: FileEffect, request: CapabilityRequest): CapabilityVerdict | undefined {
  const { at, kind } = effect
  const { tool, granted, parent } = request
  if (
    scopeFor(tool, kind).contains(at.resolved) &&
    scopeFor(granted, kind).contains(at.resolved) &&
    (parent === undefined || scopeFor(parent, kind).contains(at.resolved))
  ) {
    return undefined
  }
  const [scope, words] = scopesOf(request).find(([each]) => !scopeFor(each, kind).contains(at.resolved))!
  const paths = scopeFor(scope, kind)
  const name = nameOf(at)
  const fix = rootFix(paths, at, request.variables)
  // A tool that works in the roots reaches no further than they do: that is what there is to say about it.
  const place = fix !== undefined && scope === tool ? "the folders of this session" : words
  const isLink = at.absolute !== at.resolved && paths.contains(at.absolute)
  const reason = isLink ? `${name} is a link to "${at.resolved}", outside ${place}` : `${name} is outside ${place}`
  return { ...deny(reason, reachHint(paths, kind)), ...(fix !== undefined && { fix }) }
}

/** What is the session's own is always in reach, whatever a tool declared: sidecars to read, scratch and /tmp to write as well. */
function isOwnSpace({ kind, at }: FileEffect, { scratch, sidecars, tmp }: Variables): boolean {
  if (isInsideAny(at.resolved, scratch) || isInsideAny(at.resolved, tmp)) return true
  return kind === "fs.read" && isInsideAny(at.resolved, sidecars)
}

/** A loop, because a search asks for each hit and a closure for each would be garbage (row "glob of 1000 out of 30,000 hits"). */
function isInsideAny(path: string, folders: readonly string[]): boolean {
  for (const folder of folders) if (isInside(path, folder)) return true
  return false
}

function scopeFor(scope: Scope, kind: FileEffectKind): PathScope {
  return kind === "fs.read" ? scope.read : scope.write
}

/** Fails closed on what a host should never hand over: NUL bytes and paths that are not absolute and normalised. */
function isMalformed({ spelled, absolute, resolved }: Located): boolean {
  if (spelled.includes("\0") || isMalformedPath(resolved)) return true
  return absolute !== resolved && isMalformedPath(absolute)
}

function isMalformedPath(path: string): boolean {
  return path.charCodeAt(0) !== slash || (path.length > 1 && malformed.test(path))
}

const slash = 47
const malformed = /\0|\/\.{0,2}(?:\/|$)/

function reachHint({ places }: PathScope, kind: FileEffectKind): string {
  if (places.length === 0) return kind === "fs.read" ? "Nothing may be read here" : "Nothing may be written here"
  return `${kind === "fs.read" ? "In reach" : "Writable"}: ${places.join(", ")}`
}

/** Another root helps only a tool that works in the roots, and only with a path that is in none of them. */
function rootFix({ places }: PathScope, { resolved }: Located, { workspace }: Variables): string | undefined {
  const inRoots = workspace.some((root) => places.some((place) => place.startsWith(root)))
  const helps = inRoots && !workspace.some((root) => isInside(resolved, root))
  return helps ? "Add its folder as a root with --root DIR" : undefined
}

function deny(reason: string, hint?: Hint): CapabilityVerdict {
  return hint === undefined ? { verdict: "deny", reason } : { verdict: "deny", reason, hint }
}

/** Tells why no scope reaches a path, or undefined where the scopes decide. */
type Floor = (path: string) => string | undefined

/** The places below every scope: kernel interfaces, what Haft keeps for itself, and the secrets under a wide root. */
function floorOf(variables: Variables): Floor {
  const known = floors.get(variables)
  if (known) return known
  const floor = buildFloor(variables)
  floors.set(variables, floor)
  return floor
}

// One set of variables serves all calls of a session.
const floors = new WeakMap<Variables, Floor>()

const kernelFolders = ["/proc", "/sys", "/dev"]

function buildFloor(variables: Variables): Floor {
  const own = [fold(variables.haftHome), fold(variables.haftConfig)]
  const open = [
    ...variables.scratch,
    ...variables.sidecars,
    ...variables.tmp,
    ...optional(variables.userData),
    ...optional(variables.planFile),
  ]
  const openFolded = open.map(fold)
  const secrets = variables.workspace.some((root) => wideRoot(root, variables) !== undefined)
    ? homeSecrets(variables)
    : []
  return (path) => {
    const folded = fold(path)
    if (isInsideAny(folded, kernelFolders)) return "is an interface of the system, not a file"
    if (isInsideAny(folded, own) && !isInsideAny(folded, openFolded)) return "belongs to Haft itself"
    return isInsideAny(folded, secrets) ? "is where programs keep credentials" : undefined
  }
}

/** The places in the home directory that the default rules keep secret; a wide root does not reach them at all. */
function homeSecrets({ home }: Variables): readonly string[] {
  return defaultRules().flatMap(({ secret, pattern }) =>
    secret && pattern?.startsWith("~/") ? [fold(`${home}/${pattern.slice(2).replace(/\/\*\*$/, "")}`)] : [],
  )
}

function optional(path: string | undefined): readonly string[] {
  return path === undefined ? [] : [path]
}

/**
 * Whether a command is one that the requirements name. The program is compared as it is written, `*` means any;
 * without `args` any arguments fit, with them each argument must fit its pattern in order and none may be left over.
 */
export function matchesShell(requirements: readonly ShellRequirement[], argv: readonly string[]): boolean {
  const [program, ...given] = argv
  return requirements.some(({ cmd, args }) => {
    if (cmd !== "*" && cmd !== program) return false
    if (args === undefined) return true
    return args.length === given.length && args.every((pattern, index) => fits(pattern, given[index]!))
  })
}

function fits(pattern: ArgumentPattern, argument: string): boolean {
  if (typeof pattern === "string") return pattern === argument
  return "prefix" in pattern ? argument.startsWith(pattern.prefix) : true
}
