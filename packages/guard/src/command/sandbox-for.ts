import {
  type CallPart,
  type Head,
  isBelow,
  type Judgement,
  type Located,
  type Mode,
  type OutsideWrite,
  type SandboxSpec,
} from "@haft/contract"
import type { CommandAnalysis } from "./command-analysis.js"
import { isWriteFree } from "./is-write-free.js"

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
  // Findings stand in the order of heads and effects, part by part.
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
