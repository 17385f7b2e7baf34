export { type ClipboardOptions, createClipboard } from "./create-clipboard.js"
