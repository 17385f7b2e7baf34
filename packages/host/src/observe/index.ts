export { createObserver, type Observation, type Observer, type ObserverOptions } from "./create-observer.js"
export { defaultObserveLimits, type ObserveLimits } from "./observe-limits.js"
