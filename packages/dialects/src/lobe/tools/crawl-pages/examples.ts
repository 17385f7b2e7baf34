import type { Example } from "@haft/contract"
import type { manifest } from "./manifest.js"

/** Calls that show what `crawl_pages` promises without a network; pages are in the tests. */
export const examples: readonly Example<typeof manifest>[] = [
  {
    name: "what is no address is reported and fails nothing else",
    input: { urls: ["not an address"] },
    output: { failed: 1 },
  },
  {
    name: "other schemes are refused",
    input: { urls: ["ftp://example.org/a", "file:///etc/passwd"] },
    output: { failed: 2 },
  },
  { name: "a script is no page", input: { urls: ["javascript:alert(1)"] }, output: { failed: 1 } },
]
