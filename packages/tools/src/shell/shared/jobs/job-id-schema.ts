import * as z from "zod"

/** The argument that names a job. */
export const jobIdSchema = z.string().min(1).describe("As job_start gave it")
