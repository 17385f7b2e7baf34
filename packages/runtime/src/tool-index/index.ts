export { createToolIndex } from "./create-tool-index.js"
export { parseQuery } from "./parse-query.js"
