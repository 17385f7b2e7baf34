import type { Example } from "@haft/contract"
import type { manifest } from "./manifest.js"

/** Calls that show what `sleep` promises. */
export const examples: readonly Example<typeof manifest>[] = [
  { name: "a moment", input: { duration_ms: 20 }, output: {} },
  { name: "no time at all", input: { duration_ms: 0 }, output: {} },
  { name: "a tenth of a second", input: { duration_ms: 100 }, output: {} },
]
