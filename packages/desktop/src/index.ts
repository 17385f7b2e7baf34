export { type ClipboardOptions, clipboardProblem, createClipboard } from "./clipboard/create-clipboard.js"
export {
  createLauncherIndex,
  type LauncherIndexOptions,
  type SessionLauncherIndex,
} from "./launcher/create-launcher-index.js"
