export { createGate, type Gate } from "./create-gate.js"
export type { SidecarLimits } from "./output-sidecar.js"
export { runProcess } from "./run-process.js"
