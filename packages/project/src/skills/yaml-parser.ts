// Named here, so that the names are found also where a bundler wraps the CommonJS package.
export { isMap, isScalar, LineCounter, parseDocument } from "yaml"
