import type { Execute } from "@haft/contract"
import { jobData } from "../shared/jobs/job-data.js"
import { shellArgv } from "../shared/run-command.js"
import type { manifest } from "./index.js"

/** Starts the line in the shell as it was judged. */
export const execute: Execute<typeof manifest> = async ({ command }, { commands, jobs }) =>
  jobData(await jobs.start({ argv: await shellArgv(command, commands), label: command }))
