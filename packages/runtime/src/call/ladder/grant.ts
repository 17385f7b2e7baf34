import {
  type CallPart,
  type Effect,
  type FileEffectKind,
  type HostVerdict,
  isBelow,
  isInside,
  type SandboxSpec,
} from "@haft/contract"
import {
  commandsOf,
  deniesFile,
  flagFor,
  judge,
  judgeFile,
  mayKeepCopy,
  normalHost,
  protectedWrites,
  repositoryRecords,
  sandboxFor,
} from "@haft/guard"
import type { HeldFacts } from "../../session/facts-of.js"
import type { CallGrant } from "../context.js"
import { otherScript } from "../other-script.js"
import { checkScopes } from "./check-scopes.js"
import { scopedEffects } from "./evaluate.js"
import type { Evaluated, EvaluateRequest } from "./evaluated.js"
import { headsOf, meaningsOf } from "./locate-parts.js"

/**
 * What an allowed call may do. Ports ask it with the resolved path at the moment of opening, so a path that
 * resolves elsewhere than it did when it was judged is judged again, with the rules that held for the call. `shown` are the
 * texts that a person answered about.
 */
export function grantFor(request: EvaluateRequest, evaluated: Evaluated, shown?: HeldFacts): CallGrant {
  const { tool, session } = request
  const book = session.rules()
  const judged = new JudgedPaths(evaluated.parts)
  const records = evaluated.analysis
    ? repositoryRecords(evaluated.analysis, (path) => session.ports.peek(path) ?? undefined)
    : []
  const foreseeable = evaluated.parts.every(({ opaque }) => !opaque)
  const admits: CallGrant["admits"] = (kind, path) => {
    const verdict = judgeFile(book, kind, path, session.ports)
    if (verdict === "deny") return false
    // What was asked about and answered covers the path that was shown; what no rule settles covers what is below it too.
    if (verdict === "ask" && !judged.has(kind, path)) return false
    if (verdict === "silent" && !judged.covers(kind, path)) return false
    if (judged.has(kind, path)) return true
    // A command names no scope of its own: what was judged for a folder holds for what is below it.
    const isOutside =
      evaluated.writesOutside?.some((write) => write.kind === kind && isInside(path, write.path)) ?? false
    if (tool.manifest.command !== undefined || isOutside) return judged.covers(kind, path)
    return withinScope(kind, path, request)
  }
  return {
    meanings: meaningsOf(evaluated.parts),
    sandbox: sandboxOf(request, evaluated),
    // A command may wait for its turn, and whatever runs meanwhile may change its script.
    begins() {
      if (!evaluated.facts.isCurrent() || shown?.isCurrent() === false) throw otherScript("before it could start")
    },
    renewed: () => renewedSandbox(request, evaluated),
    rulesKey: book,
    writes: judged.writes(),
    denies: (kind, path) => deniesFile(book, kind, path, session.ports),
    admits,
    expects(kind, path) {
      if (admits(kind, path)) return true
      const isRecord = records.some((folder) => isBelow(path, folder))
      if (isRecord && ofWorkTree.test(path)) return true
      // What rules have a word about, such as hooks and settings, is expected only where it was judged; so are git's records.
      const mayBeAny = !foreseeable && !ofGit.test(path)
      return (isRecord || mayBeAny) && ["allow", "silent"].includes(judgeFile(book, kind, path, session.ports))
    },
    foreseeable,
    admitsHost: (host, port) => judgeHop(request, evaluated, { host, port }),
    mayKeep: (path) => mayKeepCopy(book, path, session.ports),
  }
}

/**
 * Whether a request of the call may go to this host: the one that was judged, or another to which a redirect leads.
 * A tool that names no host asks those of the user's own configuration, and was itself allowed.
 */
function judgeHop(
  request: EvaluateRequest,
  { parts }: Evaluated,
  hop: { readonly host: string; readonly port: number },
): HostVerdict {
  const { tool, session } = request
  const named = parts.flatMap((part) => part.effects.filter((each) => each.kind === "net.fetch"))
  // A proxy is the way to the hosts of the configuration and none of them.
  const [first] = named.filter(({ isProxy }) => !isProxy)
  const effect: Effect = { kind: "net.fetch", ...hop, ...(first?.method === undefined ? {} : { method: first.method }) }
  if (
    named.some(
      ({ host, port }) => normalHost(host) === normalHost(hop.host) && (port === undefined || port === hop.port),
    )
  )
    return admitted
  const { manifest } = tool
  const capability = checkScopes(request, { effects: [effect] })
  if (capability.verdict === "deny") return { allowed: false, reason: capability.reason }
  const heads = headsOf(manifest, { kind: "host", ...hop })
  const judgement = judge(
    session.rules(),
    [{ label: manifest.id, heads, effects: [effect], opaque: false }],
    session.facts,
  )
  if (judgement.verdict === "allow" || (judgement.verdict === "ask" && first === undefined && !judgement.written)) {
    return admitted
  }
  const fix = judgement.remedy && `Allow it with ${flagFor(judgement.remedy)}`
  return { allowed: false, reason: judgement.reason, ...(fix === undefined ? {} : { fix }) }
}

const admitted: HostVerdict = { allowed: true }

/** Without a command of its own a tool gets the narrowest sandbox; it may ask for a wider one only by naming effects. */
export function sandboxOf({ tool, session, approved }: EvaluateRequest, evaluated: Evaluated): SandboxSpec {
  const { analysis, judgement, parts, outside, writesOutside = [] } = evaluated
  if (!judgement) return narrowest
  const changes = writesOutside.map(({ kind, path, absolute }) => ({ kind, path, absolute }))
  if (!analysis) {
    if (tool.manifest.requires.shell === undefined && tool.manifest.requires.net === undefined) return narrowest
    const writes = parts.some((part) => part.effects.some(({ kind }) => kind === "fs.write" || kind === "fs.delete"))
    const hosts = parts.flatMap((part) =>
      part.effects.flatMap((effect) => (effect.kind === "net.fetch" ? [hostOf(effect)] : [])),
    )
    if (tool.manifest.requires.shell === undefined || session.mode === "plan" || !writes) return { ...narrowest, hosts }
    const profile = hosts.length > 0 ? "workspace-write+net" : "workspace-write"
    return { ...narrowest, profile, hosts, ...(changes.length > 0 && { outside: changes }) }
  }
  return sandboxFor(analysis, judgement, session.mode, {
    hosts: session.netGrants,
    approved: approved ? protectedWrites(parts, judgement) : [],
    answered: approved,
    unconfined: outside === true && approved,
    outside: changes,
  })
}

/**
 * The sandbox that the call would get now. A rule that denies it, or that says ask where nobody was asked, refuses it; what
 * merely is not settled any more does not: the call was allowed when it started, and nothing was said against it since.
 */
function renewedSandbox(request: EvaluateRequest, evaluated: Evaluated): SandboxSpec | undefined {
  const { session, approved } = request
  const { parts, analysis } = evaluated
  const capability = checkScopes(request, {
    effects: analysis ? [] : scopedEffects(parts, session),
    commands: analysis ? commandsOf(analysis) : [],
  })
  const judgement = judge(session.rules(), parts, session.facts)
  const isRefused = judgement.verdict === "deny" || (judgement.verdict === "ask" && judgement.written && !approved)
  return capability.verdict === "deny" || isRefused ? undefined : sandboxOf(request, { ...evaluated, judgement })
}

const narrowest: SandboxSpec = { profile: "read-only", hosts: [], approved: [], unconfined: false }

function hostOf({ host, port }: { readonly host: string; readonly port?: number }): string {
  return port === undefined ? host : `${host}:${port}`
}

function withinScope(kind: FileEffectKind, path: string, request: EvaluateRequest): boolean {
  const effect: Effect = { kind, at: { spelled: path, absolute: path, resolved: path, kind: "file" } }
  return checkScopes(request, { effects: [effect] }).verdict === "pass"
}

/** The paths that the verdict was about. */
class JudgedPaths {
  private readonly paths = new Map<FileEffectKind, string[]>()

  constructor(parts: readonly CallPart[]) {
    for (const part of parts) for (const effect of part.effects) this.add(effect)
  }

  private add(effect: Effect): void {
    if (effect.kind === "net.fetch") return
    const list = this.paths.get(effect.kind) ?? []
    list.push(effect.at.resolved)
    // Who removes or moves a link means the link itself.
    if (effect.kind === "fs.delete" && effect.at.absolute !== effect.at.resolved) list.push(effect.at.absolute)
    this.paths.set(effect.kind, list)
  }

  has(kind: FileEffectKind, path: string): boolean {
    return this.paths.get(kind)?.includes(path) ?? false
  }

  writes(): readonly string[] {
    return [...(this.paths.get("fs.write") ?? []), ...(this.paths.get("fs.delete") ?? [])]
  }

  covers(kind: FileEffectKind, path: string): boolean {
    return this.paths.get(kind)?.some((judged) => isInside(path, judged)) ?? false
  }
}

// What git itself keeps for a further work tree; rules ask about it, because a file tool could lead git elsewhere with it.
const ofGit = /\/\.git(?:\/|$)/
const ofWorkTree = /\/\.git\/worktrees\/[^/]+\/(?:HEAD|ORIG_HEAD|commondir|gitdir|index|logs\/HEAD)$/
