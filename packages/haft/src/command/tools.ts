import { Buffer } from "node:buffer"
import type { Locale, RequirementSet } from "@haft/contract"
import type { ToolOffer } from "@haft/runtime"
import { namesOf } from "../config/setting.js"
import { variablesFor } from "../config/variables.js"
import { webSearchOf } from "../config/web-settings.js"
import { columns, wrap } from "../terminal/columns.js"
import type { Style } from "../terminal/style.js"
import type { Run } from "./command.js"
import { exitCodes } from "./exit-code.js"
import type { Invocation } from "./invocation.js"
import type { Io } from "./io.js"
import { printRows } from "./print.js"
import { setUp } from "./setup.js"
import { type PropertySchema, type ToolDescription, toolNamed, toolsIn } from "./tool-descriptions.js"

/** `haft tools`: the catalogue, or one tool, in our own words or in those of another system. */
export const run: Run = async (invocation, io) => {
  const [name] = invocation.operands
  const dialect = invocation.text("dialect") ?? "haft"
  const tools = dialect === "haft" ? ownTools(invocation, name) : await toolsOfDialect(dialect, name)
  const format = invocation.text("format")
  if (format !== undefined) await printFormat(tools, format, invocation, io)
  else {
    const shown = await withHosts(await inLanguage(tools, invocation.language), invocation, io)
    const withCost = shown.map((tool) => (invocation.flag("cost") ? { ...tool, ...costOf(tool) } : tool))
    printRows(invocation, io, withCost, (style) =>
      name === undefined ? catalogue(withCost, style) : page(withCost[0]!, style),
    )
  }
  return exitCodes.ok
}

/** A tool to print: what other systems do not say of theirs is absent. */
type Listed = Pick<ToolDescription, "id" | "title" | "description" | "input_schema"> &
  Partial<ToolDescription> &
  Partial<Pick<ToolOffer, "wireName" | "titles" | "descriptor">>

type Shown = Listed & { readonly characters?: number; readonly tokens?: number }

function ownTools(invocation: Invocation, name: string | undefined): readonly Listed[] {
  return name === undefined ? toolsIn(namesOf(invocation.text("toolset") ?? "all")) : [toolNamed(name)]
}

async function toolsOfDialect(dialect: string, name: string | undefined): Promise<readonly Listed[]> {
  const { dialectNamed } = await import("@haft/dialects")
  const { dialectOffers, rowNamed } = await import("@haft/runtime")
  const spoken = (await dialectNamed(dialect))!
  const rows = name === undefined ? spoken.tools : [rowNamed(spoken, name)]
  const tiers = new Map(rows.map((row) => [row.name, row.tier]))
  return dialectOffers({ ...spoken, tools: rows }).map((offer) => {
    const tier = tiers.get(offer.id)
    return { ...offer, ...(tier === undefined ? {} : { tier }) }
  })
}

/** Variables that mean hosts, as the configuration fills them; it is read only where hosts are printed. */
async function withHosts(tools: readonly Listed[], invocation: Invocation, io: Io): Promise<readonly Listed[]> {
  const isPrinted = invocation.json || invocation.ndjson || invocation.operands.length > 0
  const namesVariable = ({ requires }: Listed) => requires?.net?.hosts.some((host) => host.startsWith("{")) ?? false
  if (!isPrinted || !tools.some(namesVariable)) return tools
  const [{ searchHosts }, { expandHosts }] = await Promise.all([import("@haft/tools"), import("@haft/guard")])
  const setup = await setUp(invocation, io)
  const variables = { ...variablesFor(setup), searchHosts: searchHosts(webSearchOf(setup, io.env)) }
  return tools.map((tool) => {
    if (!namesVariable(tool)) return tool
    const { net, ...others } = tool.requires as RequirementSet
    return { ...tool, requires: { ...others, net: { ...net, hosts: expandHosts(net!.hosts, variables) } } }
  })
}

function catalogue(tools: readonly Shown[], style: Style): string {
  const { say } = style
  const rows = tools.map(({ id, title, tier, toolsets, characters, tokens }) => [
    style.bold(id),
    title === id ? "" : title,
    tier ?? "",
    ...(tokens === undefined ? [] : [say`${characters!} characters`, say`~${tokens} tokens`]),
    style.dim(toolsets?.join(", ") ?? ""),
  ])
  const total = tools.reduce((sum, { tokens = 0 }) => sum + tokens, 0)
  const count = total > 0 ? say`${tools.length} tools, about ${total} tokens` : say`${tools.length} tools`
  const next = style.dim(say`One of them: haft tools NAME. Call it: haft call NAME key=value`)
  return [columns(rows), "", count, next].join("\n")
}

function page(tool: Shown, style: Style): string {
  const { say } = style
  const { properties = {}, required = [] } = tool.input_schema
  const rows = Object.entries(properties).map(([key, schema]) => [
    `  ${style.bold(key)}`,
    typeName(schema),
    required.includes(key)
      ? say`required`
      : schema.default === undefined
        ? ""
        : say`default ${JSON.stringify(schema.default)}`,
    schema.description ?? "",
  ])
  const facts = [
    [say`Kind`, tool.kind],
    [say`Reach`, tool.tier],
    [say`Toolsets`, tool.toolsets?.join(", ")],
    [say`Requires`, tool.requires && JSON.stringify(tool.requires)],
    [say`Limit`, tool.limit && `${tool.limit.max} ${tool.limit.unit}`],
    [say`Cost`, tool.tokens && `${say`${tool.characters!} characters`}, ${say`~${tool.tokens} tokens`}`],
  ].filter((fact): fact is [string, string] => fact[1] !== undefined)
  const words = tool.description.split("\n").flatMap((line) => (line === "" ? [""] : wrap(line, 100)))
  return [
    `${style.bold(tool.id)}  ${tool.title}`,
    "",
    ...words,
    "",
    say`Arguments`,
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
function costOf({ id, wireName, description, input_schema }: Listed): Pick<Shown, "characters" | "tokens"> {
  const written = JSON.stringify({ name: wireName ?? id, description, input_schema })
  return { characters: written.length, tokens: Math.ceil(Buffer.byteLength(written) / 4) }
}

async function printFormat(tools: readonly Listed[], format: string, invocation: Invocation, io: Io): Promise<void> {
  const { formatDefinitions, hintsOf } = await import("@haft/runtime")
  const offers = tools.map((tool) => ({ ...tool, hints: hintsOf(tool) }))
  const written = formatDefinitions(offers, format as Parameters<typeof formatDefinitions>[1])
  printRows(invocation, io, written, () => JSON.stringify(written, null, 2))
}

/** Titles in another language come from the tools themselves, which are loaded only for this. */
export async function inLanguage<Tool extends Listed>(
  tools: readonly Tool[],
  language: Locale,
): Promise<readonly Tool[]> {
  if (language === "en") return tools
  const { catalog } = await import("@haft/tools")
  const titles = new Map<string, string>(
    catalog.map(({ manifest, messages }) => [manifest.id, messages["zh-CN"].title]),
  )
  return tools.map((tool) => ({ ...tool, title: tool.titles?.["zh-CN"] ?? titles.get(tool.id) ?? tool.title }))
}
