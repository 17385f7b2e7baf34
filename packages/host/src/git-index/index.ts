export { isTracked } from "./is-tracked.js"
export { trackedFiles } from "./tracked-files.js"
