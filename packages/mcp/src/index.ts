export {
  type Launch,
  launchOf,
  type Pin,
  pinDigest,
  type ToolChanges,
  type ToolText,
  toolChanges,
} from "./entry/pin.js"
export { readEntry, type ServerEntry } from "./entry/server-entry.js"
export { type Inspected, inspectServer } from "./inspect.js"
export { McpSession, type McpSessionOptions, pinOf, trustLost } from "./mcp-session.js"
export type { HostSession, ServedTool, ServeHost } from "./serve/host.js"
export { type HttpServer, serveHttp } from "./serve/serve-http.js"
export { serveStdio } from "./serve/serve-stdio.js"
export { toolId } from "./tool/tool-texts.js"
export type { Browser, SavedSignIn, SignInStore } from "./wire/open-request.js"
