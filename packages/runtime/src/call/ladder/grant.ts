import type { CallPart, Effect, FileEffectKind, Grant } from "@haft/contract"
import { checkCapability, judgeFile, mayKeepCopy } from "@haft/guard"
import type { CallSession } from "../../session/call-session.js"
import type { Climbed, ClimbRequest } from "./climb.js"

/**
 * What an allowed call may do. Ports ask it with the resolved path at the moment of opening, so a path that
 * leads elsewhere than it did when it was judged is judged again, with the rules that held for the call.
 */
export function grantFor({ tool, session }: ClimbRequest, climbed: Climbed): Grant {
  const book = session.rules()
  const judged = new JudgedPaths(climbed.parts)
  return {
    admits(kind, path) {
      const verdict = judgeFile(book, kind, path, session.ports)
      if (verdict === "deny") return false
      // What was asked about and answered covers the path that was shown; what no rule settles covers what lies below it too.
      if (verdict === "ask" && !judged.has(kind, path)) return false
      if (verdict === "silent" && !judged.covers(kind, path)) return false
      return judged.has(kind, path) || withinScope(kind, path, tool.manifest, session)
    },
    mayKeep: (path) => mayKeepCopy(book, path, session.ports),
  }
}

function withinScope(
  kind: FileEffectKind,
  path: string,
  manifest: ClimbRequest["tool"]["manifest"],
  session: CallSession,
): boolean {
  const effect: Effect = { kind, at: { spelled: path, absolute: path, resolved: path, kind: "file" } }
  const { verdict } = checkCapability({
    tool: session.scopeOf(manifest),
    granted: session.granted,
    effects: [effect],
    mode: session.mode,
    variables: session.variables,
  })
  return verdict === "pass"
}

/** The paths that the verdict was about. */
class JudgedPaths {
  private readonly paths = new Map<FileEffectKind, string[]>()

  constructor(parts: readonly CallPart[]) {
    for (const effect of parts.flatMap((part) => part.effects)) {
      if (effect.kind === "net.fetch") continue
      const list = this.paths.get(effect.kind) ?? []
      list.push(effect.at.resolved)
      this.paths.set(effect.kind, list)
    }
  }

  has(kind: FileEffectKind, path: string): boolean {
    return this.paths.get(kind)?.includes(path) ?? false
  }

  covers(kind: FileEffectKind, path: string): boolean {
    return this.paths.get(kind)?.some((judged) => path === judged || path.startsWith(`${judged}/`)) ?? false
  }
}
