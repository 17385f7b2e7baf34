export { createJobs, type SessionJobs } from "./create-jobs.js"
