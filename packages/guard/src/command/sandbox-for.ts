import {
  type CallPart,
  type Effect,
  type Head,
  isBelow,
  isInside,
  type Judgement,
  type Located,
  type Mode,
  type OutsideWrite,
  type SandboxSpec,
} from "@haft/contract"
import { joinPath } from "../path.js"
import type { Variables } from "../variables.js"
import type { CommandAnalysis } from "./command-analysis.js"

/** What was granted for a call besides the rules. */
export interface SandboxGrants {
  /** Hosts of the session, as `host`, `host:port`, `*.suffix` or `@bundle`. */
  readonly hosts: readonly string[]
  /** Protected names that a person approved for this call. */
  readonly approved?: readonly string[]
  /** A person said yes to this call, so the hosts that it names were shown and granted. */
  readonly answered?: boolean
  /** The user's configuration lists the command as one that runs outside the sandbox, and a person said yes. */
  readonly unconfined?: boolean
  /** Files outside the workspace that the call may change. */
  readonly outside?: readonly OutsideWrite[]
}

/** The sandbox of an allowed command: what only reads gets a workspace that cannot be written, and no network. */
export function sandboxFor(
  analysis: CommandAnalysis,
  judgement: Judgement,
  mode: Mode,
  grants: SandboxGrants,
): SandboxSpec {
  const unconfined = grants.unconfined === true && mode !== "plan"
  if (mode === "plan" || isWriteFree(analysis)) return { profile: "read-only", hosts: [], approved: [], unconfined }
  const hosts = [
    ...new Set([...allowedHosts(judgement), ...grants.hosts, ...(grants.answered ? namedHosts(analysis) : [])]),
  ]
  const { approved = [], outside = [] } = grants
  const profile = hosts.length > 0 ? "workspace-write+net" : "workspace-write"
  return { profile, hosts, approved, unconfined, ...(outside.length > 0 && { outside }) }
}

/**
 * The protected names that a call writes: those whose ask only a person may answer. One that ends in a slash is a folder
 * alone, without what is in it.
 */
export function protectedWrites(parts: readonly CallPart[], judgement: Judgement): readonly string[] {
  // Findings are in the order of heads and effects, part by part.
  let index = 0
  return parts.flatMap(({ heads, effects }) => {
    index += heads.length
    const asked = effects.flatMap((effect): readonly Located[] => {
      const finding = judgement.findings[index++]
      if (effect.kind === "net.fetch" || effect.kind === "fs.read" || !finding) return []
      return finding.verdict === "ask" && finding.decided?.final === true ? [effect.at] : []
    })
    const paths = asked.map(({ resolved }) => withoutSlash(resolved))
    return paths.map((path, number) => {
      // Who copies something into a folder that is there, or makes one, does not ask for everything in it.
      const isInto = asked[number]!.kind === "directory" && paths.some((other) => isBelow(other, path))
      return isInto || heads.some(isMakingFolders) ? `${path}/` : path
    })
  })
}

function isMakingFolders({ subject }: Head): boolean {
  return subject.kind === "command" && subject.argv[0]?.split("/").at(-1) === "mkdir"
}

function withoutSlash(path: string): string {
  return path.length > 1 ? path.replace(/\/+$/, "") : path
}

function allowedHosts({ findings }: Judgement): readonly string[] {
  return findings
    .filter(({ permission, verdict }) => permission === "net.fetch" && verdict === "allow")
    .map(({ subject }) => subject)
}

function namedHosts({ parts }: CommandAnalysis): readonly string[] {
  return parts.flatMap(({ hosts }) => hosts.map(({ host, port }) => (port === undefined ? host : `${host}:${port}`)))
}

/** Whether every command of a line is understood and only reads, so that it can run in the sandbox `read-only`. */
export function isWriteFree({ parsed, parts }: CommandAnalysis): boolean {
  return (
    parsed &&
    parts.every(
      ({ opaque, readOnly, writes, deletes, hosts }) =>
        !opaque && readOnly && writes.length === 0 && deletes.length === 0 && hosts.length === 0,
    )
  )
}

/** A file outside the workspace that a command changes. */
export interface JudgedOutsideWrite extends OutsideWrite {
  /** A rule about this effect allows it: an allowed program is no answer for a file outside. */
  readonly allowed: boolean
}

/**
 * The files that a command was judged to write or remove outside the workspace and the session's own folders, each once:
 * what is in another of them is changed with it. Of a copy into an existing folder the copies are named and not the folder.
 */
export function outsideWrites(
  parts: readonly CallPart[],
  judgement: Judgement,
  variables: Variables,
): readonly JudgedOutsideWrite[] {
  const own = [...variables.workspace, ...variables.scratch, ...variables.tmp, ...kernelFolders]
  const isOutside = (path: string) => !own.some((folder) => isInside(path, folder))
  // Findings are in the order of heads and effects, part by part.
  let index = 0
  const found = parts.flatMap(({ heads, effects }) => {
    index += heads.length
    const writes = effects.flatMap((effect) => {
      const { verdict } = judgement.findings[index++]!
      return isWrite(effect) ? [{ effect, allowed: verdict === "allow" }] : []
    })
    return writes.filter(({ effect }) => !isFolderOfOthers(effect, writes))
  })
  const outside = found.flatMap(({ effect: { kind, at }, allowed }) =>
    isOutside(at.resolved) ? [{ kind, path: at.resolved, absolute: at.absolute, allowed }] : [],
  )
  return outside.filter(
    (one, place) =>
      !outside.some((other, before) => isInside(one.path, other.path) && (other.path !== one.path || before < place)),
  )
}

// The sandbox has its own; nothing there is a file of anybody.
const kernelFolders = ["/proc", "/sys", "/dev"]

type WriteEffect = Exclude<Effect, { kind: "net.fetch" }> & { readonly kind: OutsideWrite["kind"] }

function isWrite(effect: Effect): effect is WriteEffect {
  return effect.kind === "fs.write" || effect.kind === "fs.delete"
}

function isFolderOfOthers({ kind, at }: WriteEffect, writes: readonly { readonly effect: WriteEffect }[]): boolean {
  if (kind !== "fs.write" || at.kind !== "directory") return false
  return writes.some(({ effect }) => effect.at.resolved !== at.resolved && isInside(effect.at.resolved, at.resolved))
}

/** The text of a small file, or undefined where there is none. */
type Peek = (path: string) => string | undefined

/** The folders in which git keeps the records that a line changes: what a change there is expected by. */
export function repositoryRecords({ parts }: CommandAnalysis, peek: Peek): readonly string[] {
  const folders = parts.flatMap(({ repositories = [], directory }) =>
    repositories.map((folder) => joinPath(directory, folder)),
  )
  return [...new Set(folders)].flatMap((folder) => recordsOf(folder, peek))
}

/** The repository that a folder is in is the first one upwards; where there is none yet, one in the folder itself. */
function recordsOf(folder: string, peek: Peek): readonly string[] {
  for (let place = folder; place !== "/"; place = joinPath(place, "..")) {
    const git = joinPath(place, ".git")
    if (peek(`${git}/HEAD`) !== undefined) return [git]
    const link = /^gitdir: (.+)$/m.exec(peek(git) ?? "")?.[1]
    if (link !== undefined) return [sharedRecords(joinPath(place, link))]
  }
  return [joinPath(folder, ".git")]
}

/** A further work tree keeps its objects and branches in the repository that it belongs to. */
function sharedRecords(git: string): string {
  return /^(.+)\/worktrees\/[^/]+$/.exec(git)?.[1] ?? git
}

/**
 * Whether the user's configuration lists a command as one that runs outside the sandbox. Only a single plain command
 * counts: whatever else is on the line would leave the sandbox with it.
 */
export function runsUnconfined({ parsed, parts }: CommandAnalysis, beginnings: readonly string[]): boolean {
  const [only, ...more] = parts
  if (!parsed || only === undefined || more.length > 0) return false
  if (!only.plain || only.wrappers.length > 0 || only.unresolved.length > 0 || only.redirected) return false
  return beginnings.some((beginning) => startsWith(only.argv, beginning.split(/\s+/).filter(Boolean)))
}

function startsWith(argv: readonly string[], words: readonly string[]): boolean {
  return words.length > 0 && words.every((word, index) => argv[index] === word)
}
