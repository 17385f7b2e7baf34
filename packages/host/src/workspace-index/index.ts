export { FoundInDirectories } from "./known-directories.js"
export type { IndexedDirectory } from "./read-directory.js"
export { WorkspaceIndex } from "./workspace-index.js"
