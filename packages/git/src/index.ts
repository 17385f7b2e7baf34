export { CommittedFiles } from "./committed-files.js"
export { findRepository } from "./find-repository.js"
