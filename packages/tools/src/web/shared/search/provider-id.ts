import { searchProviderIds as providerIds } from "@haft/contract"

export { providerIds }

export type ProviderId = (typeof providerIds)[number]

/** The provider that a word names, whatever its case; `360` is the other name of `so360`. */
export function providerIdOf(word: string): ProviderId | undefined {
  const name = word.trim().toLowerCase()
  return providerIds.find((id) => id === (name === "360" ? "so360" : name))
}
