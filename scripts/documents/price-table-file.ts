import {
  type ConditionalPrice,
  findProvider,
  type MatchLogic,
  type ModelInfo,
  type ModelPrice,
} from "@pydantic/genai-prices"

// What the version in package.json was published on; change both together.
const source = { package: "@pydantic/genai-prices", version: "0.1.8", date: "2026-09-23" }

/** The prices of the models that `PROVIDER:NAME` can name, taken from a kept list. Models without a price per token are left out. */
export function priceTableFile(): string {
  const lines = ["anthropic", "openai", "google"].flatMap((provider) =>
    (findProvider({ providerId: provider })?.models ?? []).flatMap((model) => {
      const rates = ratesOf(model)
      if (rates.length === 0) return []
      const context = model.context_window === undefined ? {} : { contextTokens: model.context_window }
      return [`    ${JSON.stringify({ provider, match: matchOf(model.match), ...context, rates })},`]
    }),
  )
  return `// Made by npm run docs from ${source.package} ${source.version}.
import type { PriceTable } from "../cost.js"

/** US dollars for a million tokens. */
// biome-ignore format: a line for each model
export const priceTable: PriceTable = {
  source: ${JSON.stringify(`${source.package} ${source.version}`)},
  date: ${JSON.stringify(source.date)},
  models: [
${lines.join("\n")}
  ],
}
`
}

function ratesOf({ prices }: ModelInfo): readonly object[] {
  const list: readonly ConditionalPrice[] = Array.isArray(prices) ? prices : [{ prices }]
  return list.flatMap(({ constraint, prices: each }) => {
    const { input_mtok: input, output_mtok: output, cache_read_mtok: cacheRead, cache_write_mtok: cacheWrite } = each
    if (input === undefined || output === undefined) return []
    const from = constraint !== undefined && "start_date" in constraint ? { from: constraint.start_date } : {}
    return [
      { ...from, input: rate(input), output: rate(output), cacheRead: rate(cacheRead), cacheWrite: rate(cacheWrite) },
    ]
  })
}

/** A price, or a price with those above a number of input tokens. */
function rate(price: ModelPrice[string]): unknown {
  if (price === undefined || typeof price === "number") return price
  return [[0, price.base], ...price.tiers.map(({ start, price: above }) => [start, above])]
}

function matchOf(match: MatchLogic): MatchLogic {
  return "or" in match && match.or.length === 1 && match.or[0] !== undefined ? matchOf(match.or[0]) : match
}
