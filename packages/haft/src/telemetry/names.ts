import type { Environment } from "../config/places.js"

/** The names of OpenTelemetry's conventions for generative AI, in one place; those that begin with `haft.` are ours. */
export const names = {
  operation: "gen_ai.operation.name",
  agentName: "gen_ai.agent.name",
  conversation: "gen_ai.conversation.id",
  requestModel: "gen_ai.request.model",
  inputTokens: "gen_ai.usage.input_tokens",
  outputTokens: "gen_ai.usage.output_tokens",
  toolName: "gen_ai.tool.name",
  toolCall: "gen_ai.tool.call.id",
  toolType: "gen_ai.tool.type",
  toolArguments: "gen_ai.tool.call.arguments",
  toolResult: "gen_ai.tool.call.result",
  errorType: "error.type",
  cost: "haft.usage.cost_usd",
  turn: "haft.turn.id",
  step: "haft.step",
  leftOut: "haft.compaction.left_out",
  stopReason: "haft.stop_reason",
  verdict: "haft.permission.verdict",
  waitMs: "haft.permission.wait_ms",
  waitKind: "haft.wait.kind",
  answer: "haft.answer",
  truncated: "haft.truncated",
} as const

/** A provider as the conventions name it; packages name the API too, as in `anthropic.messages`. */
export function providerOf(provider: string): string {
  const [name = provider] = provider.split(".")
  return name === "google" ? "gcp.gemini" : name
}

/** The provider's attribute was renamed after version 1.36; the new name is used by those who ask for it. */
export function providerName(env: Environment): string {
  const wanted = (env.OTEL_SEMCONV_STABILITY_OPT_IN ?? "").split(",").map((word) => word.trim())
  return wanted.includes("gen_ai_latest_experimental") ? "gen_ai.provider.name" : "gen_ai.system"
}
