export { type CallFor, type EnabledExtension, ExtensionSession } from "./extension-session.js"
export { type ExtensionManifest, readManifest } from "./manifest.js"
