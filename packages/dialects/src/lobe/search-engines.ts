const engines: Readonly<Record<string, string>> = {
  duckduckgo: "ddg",
  ddg: "ddg",
  brave: "brave",
  wikipedia: "wiki",
  wiki: "wiki",
  sogou: "sogou",
  "360": "so360",
}

/** The engines that are asked: those that LobeHub names and that are here; undefined for our own choice. */
export function engineIds(names: readonly string[] = []): readonly string[] | undefined {
  const ids = names.map(engineOf).filter((id) => id !== undefined)
  return ids.length > 0 ? [...new Set(ids)] : undefined
}

/** What of a request had no effect, in words for the model. */
export function searchNotes(input: {
  readonly searchEngines?: readonly string[] | undefined
  readonly searchCategories?: readonly string[] | undefined
  readonly searchTimeRange?: string | undefined
}): readonly string[] {
  const { searchEngines = [], searchCategories = [], searchTimeRange = "anytime" } = input
  const missing = searchEngines.filter((name) => engineOf(name) === undefined)
  const categories = searchCategories.filter((name) => name !== "general")
  return [
    ...(missing.length > 0 ? [`[Not searched, because they are not here: ${missing.join(", ")}]`] : []),
    ...(categories.length > 0 ? [`[Searched the general web, not by category: ${categories.join(", ")}]`] : []),
    ...(searchTimeRange === "anytime" ? [] : [`[Not limited to the last ${searchTimeRange}]`]),
  ]
}

function engineOf(name: string): string | undefined {
  const key = name.toLowerCase()
  return Object.hasOwn(engines, key) ? engines[key] : undefined
}
