export { createCommands } from "./create-commands.js"
