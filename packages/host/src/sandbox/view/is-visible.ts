import { isInside } from "@haft/contract"
import type { Mount } from "./mount.js"

/** Whether the path of the host is at the same path inside. */
export function isVisible(path: string, view: readonly Mount[]): boolean {
  const last = view.findLast((mount) => "target" in mount && mount.kind !== "freeze" && isInside(path, mount.target))
  if (last?.kind === "link") return true
  return (last?.kind === "read" || last?.kind === "write") && last.source === last.target
}
