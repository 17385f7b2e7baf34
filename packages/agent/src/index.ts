export { AgentSession, type AgentSessionOptions } from "./agent-session.js"
export * from "./engine/index.js"
export * from "./model/index.js"
export { estimateTokens, imageTokens, type TurnReply } from "./turn/conversation.js"
