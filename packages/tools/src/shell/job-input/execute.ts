import type { Execute } from "@haft/contract"
import { jobData } from "../shared/jobs/job-data.js"
import type { manifest } from "./index.js"

/** Writes the text as it was judged. */
export const execute: Execute<typeof manifest> = async ({ id, text }, { jobs }) => jobData(await jobs.input(id, text))
