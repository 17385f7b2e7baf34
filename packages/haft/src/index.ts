export type {
  AskAnswer,
  AskRequest,
  Dialect,
  Envelope,
  OpenWait,
  Person,
  Projection,
  Question,
  Rule,
  SessionEvent,
  Settings,
  ToolResult,
  TurnInput,
  TurnOutcome,
  WebSearchSettings,
} from "@haft/contract"
export { defineManifest, defineTool, type InputSchema, type ToolDefinition, ToolError, tool } from "@haft/contract"
export { dialectNamed, type ForeignSettings, foreignPolicy } from "@haft/dialects"
export type { PrivateRegistry } from "@haft/host"
export type { DialectResult, Explanation } from "@haft/runtime"
export type { Agent, AgentOptions, ProviderModel } from "./library/agent.js"
export { createHaft, type Haft } from "./library/create-haft.js"
export type { HaftOptions } from "./library/options.js"
export type {
  ArgumentsOf,
  CallOptions,
  CallResult,
  DataOf,
  Session,
  ToolInput,
  ToolName,
  ToolsById,
} from "./library/session.js"
export type { StringExecutor } from "./library/string-executor.js"
