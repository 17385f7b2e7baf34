import type { Execute } from "@haft/contract"
import { jobData } from "../shared/jobs/job-data.js"
import type { manifest } from "./index.js"

/** Without a place to begin at, the port goes on where the last look ended. */
export const execute: Execute<typeof manifest> = async ({ id, wait_ms, filter }, { jobs, signal }) =>
  jobData(await jobs.output(id, { waitMs: wait_ms, ...(filter !== undefined && { filter }), signal }))
