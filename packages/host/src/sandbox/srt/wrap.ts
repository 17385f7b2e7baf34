import { temporaryFolders } from "../../files/session-temporary.js"
import type { Detected, WallPlan, Wrapped } from "../backend.js"
import type { Mount } from "../view/mount.js"

/** Settings of sandbox-runtime: reading is denied and then allowed again, writing only allowed. */
function srtSettings({ mounts }: Pick<WallPlan, "mounts">) {
  const sources = (kind: "read" | "write") => mounts.flatMap((mount) => (mount.kind === kind ? [mount.source] : []))
  const writable = sources("write")
  const held = mounts.flatMap((mount) => (mount.kind === "hold" || mount.kind === "hide" ? [mount.target] : []))
  const hidden = mounts.flatMap((mount) => (mount.kind === "hide" ? [mount.target] : []))
  return {
    filesystem: {
      denyRead: ["~", ...hidden],
      allowRead: [...sources("read"), ...writable],
      allowWrite: writable,
      denyWrite: [
        ...sources("read").filter((path) => writable.some((folder) => path.startsWith(`${folder}/`))),
        ...held,
      ],
    },
    network: { allowedDomains: [], deniedDomains: [] },
  } as const
}

/** The arguments for srt; its settings go into a file, written just before the start. */
export function wrapWithSrt(plan: WallPlan, { programs }: Detected): Wrapped {
  const isTemporary = ({ target }: Mount) => temporaryFolders.some((folder) => folder === target)
  const home = plan.mounts.find(
    (mount) => mount.kind === "write" && mount.source !== mount.target && !isTemporary(mount),
  )
  return {
    file: programs.node!,
    descriptors: [],
    args: [programs.srt!, "--settings", settingsPlace, "--", ...plan.argv],
    settings: JSON.stringify(srtSettings(plan), undefined, 2),
    ...(home?.kind === "write" && { environment: { HOME: home.source } }),
  }
}

/** Stands for the path of the settings, which is known when they are written. */
export const settingsPlace = "{settings}"
