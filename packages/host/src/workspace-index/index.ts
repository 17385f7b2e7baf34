export { FoundInDirectories } from "./found-in-directories.js"
export type { IndexedDirectory } from "./read-directory.js"
export { WorkspaceIndex } from "./workspace-index.js"
