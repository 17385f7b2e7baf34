import type { Example } from "@haft/contract"
import type { manifest } from "./manifest.js"

/** Calls that show what `job_input` promises; each runs in a session of its own, where no job was started. */
export const examples: readonly Example<typeof manifest>[] = [
  { name: "a line for a job that does not exist", input: { id: "job_9", text: "yes\n" }, fails: "not_found" },
  { name: "a key for a job that does not exist", input: { id: "job_9", text: "q" }, fails: "not_found" },
  { name: "an interrupt for a job that does not exist", input: { id: "job_9", text: "\u0003" }, fails: "not_found" },
]
