export { createSandbox, heldNames } from "./create-sandbox.js"
export type { SandboxOptions } from "./options.js"
export { type BackendReport, probeBackends } from "./probe-backends.js"
export type { Sandbox } from "./sandbox.js"
