export { isTracked } from "./is-tracked.js"
