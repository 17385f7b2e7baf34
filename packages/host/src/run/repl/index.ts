export { createRepl, type SessionRepl } from "./create-repl.js"
