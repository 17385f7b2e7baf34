export { createLauncherIndex, type LauncherIndexOptions, type SessionLauncherIndex } from "./create-launcher-index.js"
