export { createToolIndex } from "./create-tool-index.js"
