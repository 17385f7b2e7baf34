export { createRedactor, type KnownSecret, maxJsonDepth, type Redactor } from "./create-redactor.js"
