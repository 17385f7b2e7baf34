import { ToolError } from "@haft/contract"
import type { ToolOffer } from "./definition.js"
import { wireNames } from "./wire-name.js"

/** How the systems that take tools want them written down. */
export const definitionFormats = ["haft", "mcp", "anthropic", "openai", "openai-responses", "gemini", "ai-sdk"] as const

/** One of the ways to write tools down. */
export type DefinitionFormat = (typeof definitionFormats)[number]

/** Writes tools down for a provider or a protocol; names are made legal and are unique. An unknown format is an error. */
export function formatDefinitions(offers: readonly ToolOffer[], format: DefinitionFormat): readonly unknown[] {
  if (!Object.hasOwn(writers, format)) throw unknownFormat(format)
  const names = wireNames(offers.map(providerName))
  return offers.map((offer) => writers[format](offer, names.encode(providerName(offer))))
}

function providerName({ id, wireName }: ToolOffer): string {
  return wireName ?? id
}

const writers: Readonly<Record<DefinitionFormat, (offer: ToolOffer, name: string) => unknown>> = {
  haft: (offer) => ({ name: offer.id, description: offer.description, input_schema: offer.input_schema }),
  mcp: (offer, name) => ({
    name,
    title: offer.title,
    description: offer.description,
    inputSchema: offer.input_schema,
    ...(offer.output_schema ? { outputSchema: offer.output_schema } : {}),
    annotations: {
      title: offer.title,
      readOnlyHint: offer.hints.readOnly,
      destructiveHint: offer.hints.destructive,
      idempotentHint: offer.hints.idempotent,
      openWorldHint: offer.hints.openWorld,
    },
  }),
  anthropic: (offer, name) => ({ name, description: offer.description, input_schema: offer.input_schema }),
  openai: (offer, name) => ({
    type: "function",
    function: { name, description: offer.description, parameters: offer.input_schema },
  }),
  "openai-responses": (offer, name) => ({
    type: "function",
    name,
    description: offer.description,
    parameters: offer.input_schema,
    strict: false,
  }),
  gemini: (offer, name) => ({
    name,
    description: offer.description,
    parametersJsonSchema: offer.input_schema,
  }),
  "ai-sdk": (offer, name) => ({ name, description: offer.description, inputSchema: offer.input_schema }),
}

function unknownFormat(format: unknown): ToolError {
  return new ToolError(
    "invalid_args",
    `Cannot write tools as ${JSON.stringify(format) ?? typeof format}: there is no such format`,
    { hint: `Use one of ${definitionFormats.join(", ")}`, details: { formats: definitionFormats } },
  )
}
