import type { Example } from "@haft/contract"
import type { manifest } from "./manifest.js"

/** Calls that show what `plan_exit` promises; `nobody is there` runs headless, the others with a person. */
export const examples: readonly Example<typeof manifest>[] = [
  { name: "approved", input: { plan: "1. Write a failing test\n2. Fix the parser" }, output: { approved: true } },
  {
    name: "sent back with a reason",
    input: { plan: "1. Rewrite everything" },
    output: { approved: false, reason: "too much at once" },
  },
  { name: "nobody is there", input: { plan: "1. Delete the cache" }, output: { approved: false } },
]
