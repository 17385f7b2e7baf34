import type { AgentOptions } from "./agent.js"

/**
 * The options of an agent with another model. An address belongs to the provider that it was given with: the key of another
 * one must not go there, but for `openai-compatible`, whose key is for whatever address was given. How much a model reads is
 * not said of another.
 */
export function withModel<Options extends Pick<AgentOptions, "model" | "baseUrl" | "contextTokens">>(
  options: Options,
  model: string,
): Options & { readonly model: string } {
  const { baseUrl, contextTokens, ...rest } = options
  const isSame = [providerOf(options.model), "openai-compatible"].includes(providerOf(model))
  const keepsAddress = baseUrl !== undefined && isSame
  const keepsContext = contextTokens !== undefined && model === options.model
  const kept = { ...(keepsAddress && { baseUrl }), ...(keepsContext && { contextTokens }) }
  return { ...rest, model, ...kept } as Options & { readonly model: string }
}

/** `anthropic:NAME` and a model of `anthropic.messages` have one provider. */
function providerOf(model: AgentOptions["model"]): string {
  return (typeof model === "string" ? model.split(":", 1) : model.provider.split(".", 1))[0]!
}
