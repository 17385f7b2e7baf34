import type { Example } from "@haft/contract"
import type { manifest } from "./manifest.js"

/** Calls that show what `job_output` promises; each runs in a session of its own, where no job was started. */
export const examples: readonly Example<typeof manifest>[] = [
  { name: "a job that does not exist", input: { id: "job_9" }, fails: "not_found" },
  { name: "nothing to wait for", input: { id: "job_9", wait_ms: 60_000 }, fails: "not_found" },
  { name: "nothing to filter", input: { id: "job_9", filter: "error" }, fails: "not_found" },
]
