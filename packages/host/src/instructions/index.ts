export { findInstructions, type Instructions } from "./find-instructions.js"
export type { InstructionFile } from "./fit-instructions.js"
export type { InstructionsRequest } from "./instruction-places.js"
export { type SessionPrompt, sessionPrompt, skillList } from "./session-prompt.js"
