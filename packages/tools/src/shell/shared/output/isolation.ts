import { type Isolation, sandboxProfiles } from "@haft/contract"
import * as z from "zod"

/** What really confined a command. */
export const isolationSchema = z.strictObject({
  level: z.enum(["namespaces", "vm", "vm-emulated", "container", "profile", "none"]),
  backend: z.string(),
  profile: z.enum([...sandboxProfiles, "none"]),
  network: z.enum(["none", "proxy", "host"]),
  limits: z.strictObject({ enforced_by: z.enum(["cgroup2", "cgroup1", "rlimit", "none"]) }),
  notes: z.array(z.string()).describe("What this sandbox does not hold"),
  unscanned: z.array(z.string()).optional().describe("Folders that were not searched for files that rules deny"),
})

type IsolationData = z.infer<typeof isolationSchema>

/** The `isolation` field of an output. */
export function isolationField({ limits, notes, unscanned, ...rest }: Isolation): IsolationData {
  const { level, backend, profile, network } = rest
  return {
    ...{ level, backend, profile, network },
    limits: { enforced_by: limits.enforcedBy },
    notes: [...notes],
    ...(unscanned && { unscanned: [...unscanned] }),
  }
}

/** What a reader should know about the sandbox, in words; nothing when it was whole. What is never scanned is not told each time. */
export function isolationNotes({ level, backend, notes }: IsolationData): readonly string[] {
  if (level === "none") return [["ran outside the sandbox", ...notes].join(": ")]
  return notes.length === 0 ? [] : [`sandbox ${backend}: ${notes.join("; ")}`]
}
