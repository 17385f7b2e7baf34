import type { FoundResult } from "@haft/tools/web/shared/search/found-result.js"
import { type ProviderId, providerIds } from "@haft/tools/web/shared/search/provider-id.js"

/** What one engine found, best first. */
export interface EngineResults {
  readonly engine: ProviderId
  readonly results: readonly FoundResult[]
}

/** A page that one or more engines found. */
export interface MergedResult {
  readonly title: string
  readonly url: string
  readonly content: string
  readonly engines: readonly ProviderId[]
  readonly score: number
  readonly published_date?: string
}

interface Sighting {
  readonly engine: ProviderId
  /** 1 for the engine's best. */
  readonly rank: number
  readonly result: FoundResult
}

/**
 * One list of the results of several engines, each page once. A page scores the sum of its reciprocal ranks, times the
 * number of engines that agree on it. The order depends on the answers alone and not on which came first.
 */
export function mergeResults(answers: readonly EngineResults[]): readonly MergedResult[] {
  const pages = new Map<string, Sighting[]>()
  for (const { engine, results } of answers.toSorted((a, b) => place(a.engine) - place(b.engine))) {
    const keys = new Set<string>()
    for (const result of results) {
      const key = urlKey(result.url)
      if (keys.has(key)) continue
      keys.add(key)
      const sighting = { engine, rank: keys.size, result }
      const sightings = pages.get(key)
      if (sightings) sightings.push(sighting)
      else pages.set(key, [sighting])
    }
  }
  // Equal scores keep the order of their insertion: by engine, then by rank.
  const scored = [...pages.values()].map((sightings) => ({ sightings, score: scoreOf(sightings) }))
  scored.sort((a, b) => b.score - a.score || bestRank(a.sightings) - bestRank(b.sightings))
  return scored.map(({ sightings, score }) => merged(sightings, score))
}

function place(engine: ProviderId): number {
  return providerIds.indexOf(engine)
}

function scoreOf(sightings: readonly Sighting[]): number {
  return sightings.length * sightings.reduce((sum, { rank }) => sum + 1 / rank, 0)
}

function bestRank(sightings: readonly Sighting[]): number {
  return Math.min(...sightings.map(({ rank }) => rank))
}

/** The words of the engine that ranked the page best, completed by the others. */
function merged(sightings: readonly Sighting[], score: number): MergedResult {
  const ranked = sightings.toSorted((a, b) => a.rank - b.rank).map(({ result }) => result)
  const { title, url } = ranked[0]!
  const published = ranked.find((result) => result.published !== undefined)?.published
  return {
    title,
    url,
    content: ranked.find(({ snippet }) => snippet !== "")?.snippet ?? "",
    engines: sightings.map(({ engine }) => engine),
    score: Math.round(score * 10_000) / 10_000,
    ...(published === undefined ? {} : { published_date: published }),
  }
}

/** What two addresses of the same page have in common, however they were written; only for comparing. */
export function urlKey(address: string): string {
  const { host, pathname, searchParams } = new URL(address)
  const parameters = [...searchParams]
    .filter(([name]) => !isTracking(name))
    .map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`)
    .sort()
  const path = pathname.replace(/\/+$/, "").replace(/%[0-9a-f]{2}/gi, (octet) => octet.toUpperCase())
  return `${host.replace(/^www\./, "")}${path}?${parameters.join("&")}`
}

/** Parameters that say where a visitor came from and change nothing about the page. */
function isTracking(name: string): boolean {
  return /^(utm_\w+|gclid|fbclid|msclkid|dclid|yclid|mc_[ce]id|igshid|_hsenc|_hsmi)$/i.test(name)
}
