import type { Example } from "@haft/contract"
import type { manifest } from "./manifest.js"

/** Calls that show what `job_stop` promises; each runs in a session of its own, where no job was started. */
export const examples: readonly Example<typeof manifest>[] = [
  { name: "a job that does not exist", input: { id: "job_9" }, fails: "not_found" },
  { name: "a process number is no job", input: { id: "1" }, fails: "not_found" },
  { name: "a path is no job", input: { id: "../job_1" }, fails: "not_found" },
]
