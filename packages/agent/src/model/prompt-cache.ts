import { hash } from "node:crypto"
import type { LanguageModelV3Message, SharedV3ProviderOptions } from "@ai-sdk/provider"

/** Tells OpenAI which requests begin alike, so that they meet the same cache; other providers do not look at it. */
export function cacheKey(session: string): SharedV3ProviderOptions {
  // OpenAI refuses longer ones, and an imported session may have any id.
  return { openai: { promptCacheKey: session.length > 64 ? hash("sha256", session) : session } }
}

/**
 * The prompt with the places up to which it will come again: the end of the instructions, that of the request before this
 * one, and its own. The one before is needed because Anthropic looks back over twenty blocks and no further.
 */
export function withBreakpoints(prompt: readonly LanguageModelV3Message[]): LanguageModelV3Message[] {
  const ends = prompt.flatMap(({ role }, at) => (role === "user" || role === "tool" ? [at] : [])).slice(-2)
  return prompt.map((message, at) => (message.role === "system" || ends.includes(at) ? marked(message) : message))
}

function marked(message: LanguageModelV3Message): LanguageModelV3Message {
  const { providerOptions } = message
  const anthropic = { ...providerOptions?.anthropic, cacheControl: { type: "ephemeral" } }
  return { ...message, providerOptions: { ...providerOptions, anthropic } }
}
