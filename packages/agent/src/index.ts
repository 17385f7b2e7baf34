export { AgentSession, type AgentSessionOptions, type SendOptions } from "./agent-session.js"
export * from "./model/index.js"
export type { PromptFile, TurnInput } from "./turn/conversation.js"
export type { TurnLimits } from "./turn/turn.js"
