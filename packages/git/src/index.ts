export { CommittedFiles } from "./committed-files.js"
export { findRepository } from "./find-repository.js"
export { type GitIdentity, gitIdentity } from "./git-identity.js"
export { isPlainSettings, leadsInto, readSmall } from "./made-by-git.js"
