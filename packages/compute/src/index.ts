export { createCompute } from "./create-compute.js"
