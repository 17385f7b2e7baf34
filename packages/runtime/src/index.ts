export { type Issue, problemSentences } from "./call/argument-problems.js"
export type { CallHooks, HookedCall, HookVerdict } from "./call/call-hooks.js"
export { type CallRequest, hashOf, type Principal } from "./call/call-request.js"
export { startDeadline } from "./call/call-signal.js"
export { type Explanation, explainCall } from "./call/explain-call.js"
export { runCall } from "./call/run-call.js"
export { dialectOffers, jsonSchemaOf, offerOf, offersOf, type ToolOffer } from "./definition/definition.js"
export { inputSchema, usableSchema, withoutPatterns } from "./definition/foreign-schema.js"
export {
  type DefinitionFormat,
  definitionFormats,
  type FormattedTools,
  formatDefinitions,
} from "./definition/formats.js"
export { type FittedTools, fitTools, type SchemaVariant } from "./definition/schema/fit-tools.js"
export { hintsOf, type ToolHints } from "./definition/tool-hints.js"
export { decodeWireName, encodeWireName, type WireNames, wireNames } from "./definition/wire-name.js"
export { findRow, idsOf, rowNamed, speechOf, toolsFor } from "./dialect/find-row.js"
export { type DialectResult, runDialectCall } from "./dialect/run-dialect-call.js"
export { createRegistry, type Registry } from "./registry/create-registry.js"
export { CallSession } from "./session/call-session.js"
export type { CallSessionOptions } from "./session/session-options.js"
export { createToolIndex } from "./tool-index/index.js"
export { BoundedLines, TooLong } from "./wire/bounded-lines.js"
export { bringsToken, foreignMark } from "./wire/loopback-access.js"
export { RateLimiter } from "./wire/rate-limiter.js"
