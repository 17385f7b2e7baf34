export {
  type Launch,
  launchOf,
  type Pin,
  pinDigest,
  type ToolChanges,
  type ToolText,
  toolChanges,
} from "./client/entry/pin.js"
export { readEntry, type ServerEntry } from "./client/entry/server-entry.js"
export { type Inspected, inspectServer } from "./client/inspect.js"
export { McpSession, type McpSessionOptions, pinOf, trustLost } from "./client/mcp-session.js"
export { offerInputs } from "./client/tool/offer-tools.js"
export { toolId } from "./client/tool/tool-texts.js"
export type { Browser, SavedSignIn, SignInStore } from "./client/wire/open-request.js"
export type { HostSession, ServedTool, ServeHost } from "./serve/host.js"
export { type HttpServer, serveHttp } from "./serve/serve-http.js"
export { serveStdio } from "./serve/serve-stdio.js"
