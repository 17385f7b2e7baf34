export { type ClipboardOptions, createClipboard } from "./create-clipboard.js"
export { clipboardRouteCount } from "./clipboard-route-count.js"
