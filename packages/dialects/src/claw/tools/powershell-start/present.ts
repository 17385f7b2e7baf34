import type { Present } from "@haft/contract"
import { jobText } from "@haft/tools/shell/shared/jobs/job-text.js"
import type { manifest } from "./manifest.js"

/** The id to go on with. */
export const present: Present<typeof manifest> = (job) => jobText(job, "")
