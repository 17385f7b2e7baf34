export { type CommandsOptions, createCommands } from "./create-commands.js"
export { type FindOptions, findProgram } from "./find-program.js"
export { quietEnvironment } from "./quiet-environment.js"
