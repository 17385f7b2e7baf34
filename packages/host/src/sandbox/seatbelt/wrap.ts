import type { Detected, SandboxPlan, Wrapped } from "../backend.js"
import { seatbeltProfile } from "./profile.js"

/** The arguments for sandbox-exec. Paths stay where they are on macOS, so the private home is named by variable. */
export function wrapWithSeatbelt(plan: SandboxPlan, { programs }: Detected): Wrapped {
  const { text, parameters } = seatbeltProfile(plan)
  const home = plan.mounts.find((mount) => mount.kind === "write" && mount.source !== mount.target)
  return {
    file: programs["sandbox-exec"]!,
    descriptors: [],
    args: [
      "-p",
      text,
      ...Object.entries(parameters).flatMap(([name, value]) => ["-D", `${name}=${value}`]),
      "--",
      ...plan.argv,
    ],
    ...(home?.kind === "write" && { environment: { HOME: home.source, TMPDIR: home.source } }),
  }
}
