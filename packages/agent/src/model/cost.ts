import type { LanguageModelV3 } from "@ai-sdk/provider"
import type { Usage } from "@haft/contract"

/** US dollars for a million tokens: one price, or prices from a number of input tokens on, lowest first. */
export type Rate = number | readonly (readonly [fromTokens: number, price: number])[]

/** What a model costs. Without an own price, tokens of the cache cost what other input costs. */
export interface ModelPrice {
  readonly input: Rate
  readonly output: Rate
  readonly cacheRead?: Rate | undefined
  readonly cacheWrite?: Rate | undefined
}

/** How the names of models are matched. */
export type NameMatch =
  | { readonly or: readonly NameMatch[] }
  | { readonly and: readonly NameMatch[] }
  | { readonly equals: string }
  | { readonly starts_with: string }
  | { readonly ends_with: string }
  | { readonly contains: string }
  | { readonly regex: string }

/** Known prices, with where they come from. */
export interface PriceTable {
  readonly source: string
  /** The day on which the source was published. */
  readonly date: string
  readonly models: readonly KnownModel[]
}

interface KnownModel {
  readonly provider: string
  readonly match: NameMatch
  readonly contextTokens?: number
  /** In the order of their days; the last that has begun holds. */
  readonly rates: readonly (ModelPrice & { readonly from?: string })[]
}

type ModelName = Pick<LanguageModelV3, "provider" | "modelId">

/** What a reply is priced with. */
export interface PriceOptions {
  /** When the reply came, in milliseconds since 1970: prices change. */
  readonly at: number
  /** The user's own prices by `PROVIDER:NAME` or by the model's name; they win. */
  readonly prices?: Readonly<Record<string, ModelPrice>> | undefined
}

/** Whether a provider counted nothing, as scripts and some local models do. */
export function countsNothing(usage: Usage): boolean {
  return usage.cost === undefined && readTokens(usage) + usage.outputTokens === 0
}

function readTokens({ inputTokens, cacheReadTokens, cacheWriteTokens }: Usage): number {
  return inputTokens + cacheReadTokens + cacheWriteTokens
}

/** The usage with its cost. Without a cost where the price, or the number of tokens, is not known: never zero. */
export async function priceUsage(usage: Usage, model: ModelName, options: PriceOptions): Promise<Usage> {
  if (countsNothing(usage)) return usage
  const read = readTokens(usage)
  const { cost: _cost, ...counts } = usage
  if (read + usage.outputTokens === 0) return counts
  const own = options.prices?.[`${providerOf(model)}:${model.modelId}`] ?? options.prices?.[model.modelId]
  const price = own ?? priceAt(await findModel(model), options.at)
  if (price === undefined) return counts
  const { input, output, cacheRead = input, cacheWrite = input } = price
  const cost =
    usage.inputTokens * rateAt(input, read) +
    usage.cacheReadTokens * rateAt(cacheRead, read) +
    usage.cacheWriteTokens * rateAt(cacheWrite, read) +
    usage.outputTokens * rateAt(output, read)
  return { ...counts, cost: cost / 1_000_000 }
}

/** How many tokens a model takes, where that is known. */
export async function contextTokensOf(model: ModelName): Promise<number | undefined> {
  return (await findModel(model))?.contextTokens
}

/** `anthropic.messages` and `google.generative-ai` are names of packages' models; the first word is the provider. */
function providerOf({ provider }: ModelName): string {
  return provider.split(".", 1)[0] ?? provider
}

async function findModel(model: ModelName): Promise<KnownModel | undefined> {
  const provider = providerOf(model)
  // The table is loaded for those alone whose models it has.
  if (!["anthropic", "openai", "google"].includes(provider)) return undefined
  const { priceTable } = await import("./generated/prices.js")
  const name = model.modelId.toLowerCase()
  return priceTable.models.find((known) => known.provider === provider && matches(known.match, name))
}

function matches(match: NameMatch, name: string): boolean {
  if ("or" in match) return match.or.some((each) => matches(each, name))
  if ("and" in match) return match.and.every((each) => matches(each, name))
  if ("equals" in match) return name === match.equals.toLowerCase()
  if ("starts_with" in match) return name.startsWith(match.starts_with.toLowerCase())
  if ("ends_with" in match) return name.endsWith(match.ends_with.toLowerCase())
  if ("contains" in match) return name.includes(match.contains.toLowerCase())
  return new RegExp(match.regex, "i").test(name)
}

function priceAt(known: KnownModel | undefined, at: number): ModelPrice | undefined {
  return known?.rates.findLast(({ from }) => from === undefined || at >= Date.parse(from)) ?? known?.rates[0]
}

/** The whole request has the price of the step that its input reaches. */
function rateAt(rate: Rate, inputTokens: number): number {
  if (typeof rate === "number") return rate
  return rate.findLast(([from]) => from === 0 || inputTokens > from)?.[1] ?? 0
}
