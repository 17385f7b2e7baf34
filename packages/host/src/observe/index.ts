export { createObserver, type Observer } from "./create-observer.js"
