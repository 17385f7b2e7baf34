import type { SandboxVariant } from "./backend.js"
import type { Mount } from "./view/mount.js"

/** The view as this machine allows it. The process table of the host is never shown in place of a refused one. */
export function withVariant(view: readonly Mount[], variant: SandboxVariant): readonly Mount[] {
  if (variant.processes) return view
  return view.map((mount) =>
    mount.kind === "processes" ? { kind: "memory", target: mount.target, maxBytes: 4096, mode: 0o555 } : mount,
  )
}
