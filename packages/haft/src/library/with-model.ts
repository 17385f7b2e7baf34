import type { AgentOptions } from "./agent.js"

/**
 * The options of an agent with another model. An address belongs to the provider that it was given with: the key of another
 * one must not go there. How much a model reads is not said of another.
 */
export function withModel(options: AgentOptions, model: string): AgentOptions {
  const { baseUrl, contextTokens, ...rest } = options
  const keepsAddress = baseUrl !== undefined && providerOf(model) === providerOf(options.model)
  const keepsContext = contextTokens !== undefined && model === options.model
  return { ...rest, model, ...(keepsAddress && { baseUrl }), ...(keepsContext && { contextTokens }) }
}

/** `anthropic:NAME` and a model of `anthropic.messages` have one provider. */
function providerOf(model: AgentOptions["model"]): string | undefined {
  return typeof model === "string" ? model.split(":", 1)[0] : model.provider.split(".", 1)[0]
}
