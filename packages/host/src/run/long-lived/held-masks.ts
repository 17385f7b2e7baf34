import { isInside, ToolError } from "@haft/contract"

// State of the machine rather than of a session: a file that one session writes may be hidden from a process of another.
const held = new Set<readonly string[]>()

/** Notes what a process that outlives its call must not see, until the answer is called. */
export function holdMasks(targets: readonly string[]): () => void {
  // A list of its own: two processes may hold the same files.
  const own = [...targets]
  held.add(own)
  return () => void held.delete(own)
}

/**
 * Refuses to put another file, or another folder, in the place of one that a running process must not see: the kernel
 * drops a mask together with what it covers.
 */
export function assertNotMasked(
  path: string,
  { action, shown }: { readonly action: string; readonly shown: string },
): void {
  for (const targets of held) {
    if (!targets.some((target) => isInside(target, path))) continue
    throw new ToolError(
      "conflict",
      `Cannot ${action} "${shown}": a process that still runs must not see it, and would see what replaces it`,
      {
        hint: ["End that process first, or use another path", { say: "A job ends with {tool:job_stop}" }],
      },
    )
  }
}
