import type { Present } from "@haft/contract"
import { jobText } from "../shared/jobs/job-text.js"
import type { manifest } from "./manifest.js"

/** What is new, then what has become of the job. */
export const present: Present<typeof manifest> = (job) => jobText(job)
