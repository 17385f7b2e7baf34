import type { Execute } from "@haft/contract"
import { jobData } from "../shared/jobs/job-data.js"
import type { manifest } from "./index.js"

/** Ends the job; resolves when its processes are gone. */
export const execute: Execute<typeof manifest> = async ({ id }, { jobs }) => jobData(await jobs.stop(id))
