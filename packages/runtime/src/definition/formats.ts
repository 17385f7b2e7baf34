import { ToolError } from "@haft/contract"
import type { ToolOffer } from "./definition.js"
import { type DroppedTool, fitTools, type SchemaVariant } from "./schema/fit-tools.js"
import { wireNames } from "./wire-name.js"

/** A JSON Schema of an object. */
export interface ObjectSchema {
  readonly type: "object"
  readonly [keyword: string]: unknown
}

/** A tool of each format, as that protocol or provider declares it. */
export interface FormattedTools {
  readonly haft: { name: string; description: string; input_schema: Readonly<Record<string, unknown>> }
  readonly mcp: {
    name: string
    title: string
    description: string
    inputSchema: ObjectSchema
    outputSchema?: ObjectSchema
    annotations: {
      title: string
      readOnlyHint: boolean
      destructiveHint: boolean
      idempotentHint: boolean
      openWorldHint: boolean
    }
  }
  readonly anthropic: { name: string; description: string; input_schema: ObjectSchema }
  readonly openai: ChatTool
  /** Every property is required, optional ones may be null; a tool that cannot be said so has `strict: false`. */
  readonly "openai-strict": ChatTool
  readonly "openai-responses": ResponsesTool
  readonly "openai-responses-strict": ResponsesTool
  readonly gemini: { name: string; description: string; parametersJsonSchema: ObjectSchema }
}

interface ChatTool {
  type: "function"
  function: { name: string; description: string; parameters: Record<string, unknown>; strict: boolean }
}

interface ResponsesTool {
  type: "function"
  name: string
  description: string
  parameters: Record<string, unknown>
  strict: boolean
}

/** One of the ways to write tools down. */
export type DefinitionFormat = keyof FormattedTools

/** Where tools are written down that a format cannot say. */
export interface FormatOptions {
  readonly onDropped?: (tool: DroppedTool) => void
}

/**
 * Writes tools down for a provider or a protocol; names are made legal and are unique, schemas are as that system takes them.
 * A tool that cannot be written is left out, so that the others work. An unknown format is an error.
 */
export function formatDefinitions<Format extends DefinitionFormat>(
  offers: readonly ToolOffer[],
  format: Format,
  { onDropped = () => undefined }: FormatOptions = {},
): FormattedTools[Format][] {
  const known = Object.hasOwn(writers, format) ? writers[format] : undefined
  if (!known) throw unknownFormat(format)
  const names = wireNames(offers.map(providerName))
  const named = offers.map((offer) => ({
    offer,
    name: names.encode(providerName(offer)),
    inputSchema: offer.input_schema,
  }))
  if (known.variant === undefined) return named.map((each) => known.write(each)) as FormattedTools[Format][]
  const { tools, dropped } = fitTools(named, known.variant)
  for (const tool of dropped) onDropped(tool)
  return tools.map((each) => known.write(each)) as FormattedTools[Format][]
}

function providerName({ id, wireName }: ToolOffer): string {
  return wireName ?? id
}

/** A tool with the name and the schema that go out. */
interface Written {
  readonly offer: ToolOffer
  readonly name: string
  readonly inputSchema: Readonly<Record<string, unknown>>
  readonly strict?: boolean
}

/** How a format is written, and what it does to schemas; ours and that of MCP take them as they are. */
interface Writer<Tool> {
  readonly variant?: SchemaVariant
  write(tool: Written): Tool
}

const writers: { readonly [Format in DefinitionFormat]: Writer<FormattedTools[Format]> } = {
  haft: {
    write: ({ offer }) => ({ name: offer.id, description: offer.description, input_schema: offer.input_schema }),
  },
  mcp: {
    write: ({ offer, name }) => ({
      name,
      title: offer.title,
      description: offer.description,
      inputSchema: offer.input_schema as unknown as ObjectSchema,
      ...(offer.output_schema ? { outputSchema: offer.output_schema as unknown as ObjectSchema } : {}),
      annotations: {
        title: offer.title,
        readOnlyHint: offer.hints.readOnly,
        destructiveHint: offer.hints.destructive,
        idempotentHint: offer.hints.idempotent,
        openWorldHint: offer.hints.openWorld,
      },
    }),
  },
  anthropic: {
    variant: "plain",
    write: ({ offer, name, inputSchema }) => ({
      name,
      description: offer.description,
      input_schema: inputSchema as unknown as ObjectSchema,
    }),
  },
  openai: { variant: "plain", write: chatTool },
  "openai-strict": { variant: "strict", write: chatTool },
  "openai-responses": { variant: "plain", write: responsesTool },
  "openai-responses-strict": { variant: "strict", write: responsesTool },
  gemini: {
    variant: "gemini",
    write: ({ offer, name, inputSchema }) => ({
      name,
      description: offer.description,
      parametersJsonSchema: inputSchema as unknown as ObjectSchema,
    }),
  },
}

function chatTool({ offer: { description }, name, inputSchema: parameters, strict = false }: Written): ChatTool {
  return { type: "function", function: { name, description, parameters, strict } }
}

function responsesTool({
  offer: { description },
  name,
  inputSchema: parameters,
  strict = false,
}: Written): ResponsesTool {
  return { type: "function", name, description, parameters, strict }
}

/** How the systems that take tools want them written down. */
export const definitionFormats = Object.keys(writers) as readonly DefinitionFormat[]

function unknownFormat(format: unknown): ToolError {
  const shown = JSON.stringify(format) ?? typeof format
  return new ToolError("invalid_args", `Cannot write tools as ${shown}: there is no such format`, {
    hint:
      format === "ai-sdk" ? 'For the AI SDK take aiTools from "haft/ai"' : `Use one of ${definitionFormats.join(", ")}`,
    details: { formats: definitionFormats },
  })
}
