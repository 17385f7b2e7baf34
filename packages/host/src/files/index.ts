export { linesInMemory } from "./lines/window.js"
export { openSessionFiles, type SessionFiles, type SessionFilesOptions } from "./session-files.js"
export {
  leaveSessionFolder,
  removeSessionFolder,
  removeTemporary,
  temporaryFolders,
  temporaryIn,
} from "./session-folder.js"
export { contentHash } from "./system/content-hash.js"
export { openRoot } from "./walk/open-root.js"
export type { Root } from "./walk/walk.js"
