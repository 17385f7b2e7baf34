export { checkToken, newToken } from "./access/token.js"
export type * from "./host.js"
export { type RunningServer, type ServeOptions, serve } from "./serve.js"
export { Inbox } from "./session/inbox.js"
