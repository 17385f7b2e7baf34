export type { AskAnswer, AskRequest, Envelope, Person, Rule, SessionEvent, ToolResult } from "@haft/contract"
export { defineManifest, defineTool, type InputSchema, type ToolDefinition, ToolError, tool } from "@haft/contract"
export type { Dialect, Projection, Question, Settings, WebSearchSettings } from "@haft/contract"
export type { PrivateRegistry } from "@haft/host"
export type { DialectResult, Explanation } from "@haft/runtime"
export { createHaft, type Haft } from "./library/create-haft.js"
export { dialectNamed, type ForeignSettings, foreignPolicy } from "@haft/dialects"
export type { HaftOptions } from "./library/options.js"
export type {
  ArgumentsOf,
  CallOptions,
  DataOf,
  Session,
  StringExecutor,
  ToolInput,
  ToolName,
  ToolsById,
} from "./library/session.js"
