import { type ProviderId, providerIdOf, providerIds } from "@haft/tools/web/shared/search/provider-id.js"

/** The engines as messages name them. */
export const knownEngines: string = providerIds.map((id) => (id === "so360" ? "so360 (or 360)" : id)).join(", ")

/** The engines that a list or a comma-separated text names, each once and in order, and the words that name none. */
export function parseEngines(named: string | readonly string[]): {
  readonly engines: readonly ProviderId[]
  readonly unknown: readonly string[]
} {
  // A list of one text with commas is a frequent mistake that has only one meaning.
  const words = [named].flat().flatMap((each) => each.split(","))
  const trimmed = words.map((word) => word.trim()).filter((word) => word !== "")
  return {
    engines: [...new Set(trimmed.flatMap((word) => providerIdOf(word) ?? []))],
    unknown: [...new Set(trimmed.filter((word) => providerIdOf(word) === undefined))],
  }
}
