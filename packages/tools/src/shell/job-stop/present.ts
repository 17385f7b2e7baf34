import type { Present } from "@haft/contract"
import { jobText } from "../shared/jobs/job-text.js"
import type { manifest } from "./manifest.js"

/** What the job printed last, and that it ended. */
export const present: Present<typeof manifest> = (job) => jobText(job, "")
