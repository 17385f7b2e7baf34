import { type CallPart, type Effect, isInside, type Judgement, type OutsideWrite } from "@haft/contract"
import type { Variables } from "../variables.js"

/** A file outside the workspace that a command changes. */
export interface JudgedOutsideWrite extends OutsideWrite {
  /** A rule about this effect allows it: an allowed program is no answer for a file outside. */
  readonly allowed: boolean
}

/**
 * The files that a command was judged to write or remove outside the workspace and the session's own folders, each once:
 * what lies in another of them goes with it. Of a copy into an existing folder the copies are named and not the folder.
 */
export function outsideWrites(
  parts: readonly CallPart[],
  judgement: Judgement,
  variables: Variables,
): readonly JudgedOutsideWrite[] {
  const own = [...variables.workspace, ...variables.scratch, ...variables.tmp, ...kernelFolders]
  const isOutside = (path: string) => !own.some((folder) => isInside(path, folder))
  // Findings stand in the order of heads and effects, part by part.
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
