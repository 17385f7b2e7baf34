export { FoundInDirectories } from "./found-in-directories.js"
export type { IndexedDirectory } from "./read-directory.js"
export { SecondThread } from "./second-thread.js"
export { WorkspaceIndex } from "./workspace-index.js"
