export { defaultApplicationFolders } from "./applications/default-application-folders.js"
export { createLauncherIndex, type LauncherIndexOptions, type SessionLauncherIndex } from "./create-launcher-index.js"
