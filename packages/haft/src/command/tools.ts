import { Buffer } from "node:buffer"
import { languages, namesOf } from "../config/setting.js"
import { columns, wrap } from "../terminal/columns.js"
import type { Style } from "../terminal/style.js"
import type { Run } from "./command.js"
import { exitCodes } from "./exit-code.js"
import type { Invocation } from "./invocation.js"
import type { Io } from "./io.js"
import { printRows } from "./print.js"
import { type PropertySchema, type ToolDescription, toolNamed, toolsIn } from "./tool-descriptions.js"

/** `haft tools`: the catalogue, or one tool. */
export const run: Run = async (invocation, io) => {
  const [name] = invocation.operands
  const sets = namesOf(invocation.text("toolset") ?? "all")
  const tools = name === undefined ? toolsIn(sets) : [toolNamed(name)]
  const format = invocation.text("format")
  if (format !== undefined) await printFormat(tools, format, invocation, io)
  else {
    const shown = await inLanguage(tools, invocation.text("lang") ?? io.env.HAFT_LANG)
    const withCost = shown.map((tool) => (invocation.flag("cost") ? { ...tool, tokens: tokensOf(tool) } : tool))
    printRows(invocation, io, withCost, (style) =>
      name === undefined ? catalogue(withCost, style) : page(withCost[0]!, style),
    )
  }
  return exitCodes.ok
}

type Shown = ToolDescription & { readonly tokens?: number }

function catalogue(tools: readonly Shown[], style: Style): string {
  const rows = tools.map(({ id, title, tier, toolsets, tokens }) => [
    style.bold(id),
    title,
    tier,
    ...(tokens === undefined ? [] : [`~${tokens} tokens`]),
    style.dim(toolsets.join(", ")),
  ])
  const total = tools.reduce((sum, { tokens = 0 }) => sum + tokens, 0)
  const words = [columns(rows), "", `${tools.length} tools${total > 0 ? `, about ${total} tokens` : ""}`]
  return [...words, style.dim("One of them: haft tools NAME. Call it: haft call NAME key=value")].join("\n")
}

function page(tool: Shown, style: Style): string {
  const { properties = {}, required = [] } = tool.input_schema
  const rows = Object.entries(properties).map(([key, schema]) => [
    `  ${style.bold(key)}`,
    typeName(schema),
    required.includes(key)
      ? "required"
      : schema.default === undefined
        ? ""
        : `default ${JSON.stringify(schema.default)}`,
    schema.description ?? "",
  ])
  const facts = [
    ["Kind", tool.kind],
    ["Reach", tool.tier],
    ["Toolsets", tool.toolsets.join(", ")],
    ["Requires", JSON.stringify(tool.requires)],
    ["Limit", `${tool.limit.max} ${tool.limit.unit}`],
    ...(tool.tokens === undefined ? [] : [["Cost", `about ${tool.tokens} tokens`]]),
  ]
  const words = tool.description.split("\n").flatMap((line) => (line === "" ? [""] : wrap(line, 100)))
  return [
    `${style.bold(tool.id)}  ${tool.title}`,
    "",
    ...words,
    "",
    "Arguments",
    columns(rows),
    "",
    columns(facts),
  ].join("\n")
}

function typeName(schema: PropertySchema): string {
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join("|")
  if (schema.anyOf) return schema.anyOf.map(typeName).join("|")
  if (schema.type === "array") return `${schema.items ? typeName(schema.items) : "any"}[]`
  if (schema.type === "object" && schema.properties) return `{${Object.keys(schema.properties).join(", ")}}`
  return typeof schema.type === "string" ? schema.type : (schema.type?.join("|") ?? "any")
}

/** What the definition costs a model, at four bytes a token. */
function tokensOf({ id, description, input_schema }: ToolDescription): number {
  return Math.ceil(Buffer.byteLength(JSON.stringify({ name: id, description, input_schema })) / 4)
}

async function printFormat(
  tools: readonly ToolDescription[],
  format: string,
  invocation: Invocation,
  io: Io,
): Promise<void> {
  const { formatDefinitions } = await import("@haft/runtime")
  const offers = tools.map((tool) => ({ ...tool, readOnly: tool.tier === "read-only" }))
  const written = formatDefinitions(offers, format as Parameters<typeof formatDefinitions>[1])
  printRows(invocation, io, written, () => JSON.stringify(written, null, 2))
}

/** Titles in another language come from the tools themselves, which are loaded only for this. */
async function inLanguage(
  tools: readonly ToolDescription[],
  language: string | undefined,
): Promise<readonly ToolDescription[]> {
  if (language === undefined || language === languages[0]) return tools
  const { catalog } = await import("@haft/tools")
  const titles = new Map<string, string>(
    catalog.map(({ manifest, messages }) => [manifest.id, messages["zh-CN"].title]),
  )
  return tools.map((tool) => ({ ...tool, title: titles.get(tool.id) ?? tool.title }))
}
