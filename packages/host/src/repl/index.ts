export { createRepl, type ReplOptions, type SessionRepl } from "./create-repl.js"
