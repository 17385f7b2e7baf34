import type { LanguageModelV3 } from "@ai-sdk/provider"
import type { SchemaVariant } from "@haft/runtime"

/** The way in which a model wants the inputs of tools, by the name of its provider. */
export function schemaVariantOf({ provider }: LanguageModelV3): SchemaVariant {
  if (/^(openai|azure)(\.|-openai|$)/.test(provider)) return "strict"
  return /^(google|vertex|gemini)/.test(provider) && !/anthropic/.test(provider) ? "gemini" : "plain"
}
