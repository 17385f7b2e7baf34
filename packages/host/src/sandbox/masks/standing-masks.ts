import { lstatSync } from "node:fs"
import { isInside } from "@haft/contract"
import { fileStamp } from "../../files/system/look.js"
import type { MaskRules, Masks } from "./find-masks.js"
import { isMask } from "./follow-moved.js"

/** What a sandbox covered when it was built. */
export interface StandingMasks {
  readonly masks: Masks
  /** The rules of that moment. */
  readonly rules: MaskRules
  /** Whether anything of the workspace can be written behind it. */
  readonly writable: boolean
  /** What a sandbox that is built now would cover. */
  readonly masksNow: (rules: MaskRules) => Promise<Masks>
}

/** The masks of a sandbox, from the moment it was built. */
export interface HeldMasks {
  /** What is covered. */
  readonly targets: readonly string[]
  /** Whether a covered file was replaced: the kernel drops a mask together with the file that it covered. */
  isLost(): boolean
  /** Whether it still covers all that rules deny. */
  holds(rules: MaskRules): Promise<boolean>
}

/**
 * Tells whether a running sandbox still covers all that rules deny. It does not when a rule denies what was open, or when
 * a covered file was replaced: the kernel drops a mask together with the file that it covered. A file that the old rules
 * denied already and that is newer than the sandbox does not count: mostly the process made it itself.
 */
export function standingMasks(standing: StandingMasks): HeldMasks {
  const { masks, rules: first, masksNow } = standing
  const stamps = new Map(masks.mounts.filter(isMask).map(({ target }) => [target, fileStamp(target)]))
  let heldFor = first.rulesKey
  const isLost = () =>
    [...stamps].some(([target, stamp]) => {
      const now = fileStamp(target)
      // Where nothing is, nothing can be read; a new file with the old name has another stamp.
      return now !== undefined && now !== stamp
    })
  return {
    targets: [...stamps.keys()],
    isLost,
    async holds(rules) {
      if (isLost()) return false
      if (rules.rulesKey !== undefined && rules.rulesKey === heldFor) return true
      if (!covers(standing, await masksNow(rules))) return false
      heldFor = rules.rulesKey
      return true
    },
  }
}

function covers({ masks, rules, writable }: StandingMasks, now: Masks): boolean {
  if (masks.complete && !now.complete) return false
  if (now.freezeRoot && !masks.freezeRoot && writable) return false
  return now.mounts.filter(isMask).every(({ kind, target }) => {
    if (kind === "read" && (!writable || masks.freezeRoot)) return true
    const covered = masks.mounts.some(
      (mount) => isMask(mount) && (mount.kind === "hide" || kind === "read") && isInside(target, mount.target),
    )
    return covered || rules.denies(kind === "hide" ? "fs.read" : "fs.write", target) || isSpecial(target)
  })
}

/** Sockets and the like are covered because of what they are, not because of a rule. */
function isSpecial(path: string): boolean {
  const facts = lstatSync(path, { throwIfNoEntry: false })
  return facts !== undefined && !facts.isFile() && !facts.isDirectory()
}
