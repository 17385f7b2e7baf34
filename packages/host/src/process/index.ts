export { createGate, type Gate } from "./create-gate.js"
export { defaultSidecarLimits, type SidecarLimits } from "./output-sidecar.js"
export { type ProcessEnd, type ProcessRequest, runProcess } from "./run-process.js"
export { type StartedProcess, type StartRequest, startProcess } from "./start-process.js"
