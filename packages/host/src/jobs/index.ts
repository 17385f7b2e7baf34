export { createJobs, type JobsOptions, type SessionJobs } from "./create-jobs.js"
