import { type Example, errorMeanings, type OutputLimit, type ToolDefinition } from "@haft/contract"
import { jsonSchemaOf } from "@haft/runtime"
import { requirementText } from "./capability-page.js"
import { code, fence, generatedNote, page, table } from "./markdown.js"
import { type JsonSchema, schemaTable } from "./schema-table.js"
import { type NamedToolset, toolsetsOf } from "./toolsets-of.js"

/** The page of one tool, from its manifest and its examples. */
export async function toolPage(tool: ToolDefinition, toolsets: readonly NamedToolset[]): Promise<string> {
  const { manifest } = tool
  const { examples } = await tool.examples()
  return page(
    generatedNote,
    `# ${manifest.id}: ${manifest.title}`,
    manifest.description,
    factTable(tool, toolsets),
    "## Input",
    schemaTable(jsonSchemaOf(manifest.input, "input") as JsonSchema, "input"),
    "Unknown keys are an error that names the nearest known key.",
    "## Output",
    "What is in `data` of the envelope:",
    schemaTable(jsonSchemaOf(manifest.output, "output") as JsonSchema, "output"),
    "## Errors",
    errorTable(examples),
    "## Examples",
    ...examples.flatMap((example) => exampleText(manifest.id, example)),
  )
}

function factTable({ manifest }: ToolDefinition, toolsets: readonly NamedToolset[]): string {
  return table(
    ["", ""],
    [
      ["toolsets", toolsetsOf(manifest.id, toolsets).map(code).join(", ") || "none"],
      ["requires", requirementText(manifest.requires)],
      ["kind", manifest.kind],
      ["reach", manifest.tier],
      ["limit", limitText(manifest.limit)],
      ["time", `${manifest.timeoutMs / 1000} s at most`],
      ["may be repeated", manifest.retry === "safe" ? "yes" : "no: a call whose end is unknown is not made again"],
      ...(manifest.formerIds?.length ? [["former ids", manifest.formerIds.map(code).join(", ")]] : []),
    ],
  )
}

function limitText(limit: OutputLimit): string {
  const amount = `${limit.max.toLocaleString("en")} ${limit.unit}`
  if (limit.past === "paged") return `${amount} a call; the result says where to go on`
  const where = limit.unit === "entries" ? code(limit.field) : limit.fields.map(code).join(", ")
  return `${amount} of ${where}; past it the whole goes to a file named in \`metadata.output_path\``
}

/** The codes that the examples show, and those that any call may end with. */
function errorTable(examples: readonly Example[]): string {
  const shown = new Set(examples.flatMap(({ fails }) => (fails ? [fails] : [])))
  const codes = [
    ...shown,
    ...(["invalid_args", "denied", "timeout", "cancelled"] as const).filter((name) => !shown.has(name)),
  ]
  const rows = codes.map((name) => [`[${name}](../errors.md)`, errorMeanings[name]])
  return table(["code", "meaning"], rows)
}

function exampleText(id: string, example: Example): readonly string[] {
  const lines = [
    ...Object.entries(example.files ?? {}).map(([path, text]) => `${path} before: ${JSON.stringify(shorten(text))}`),
    `haft call ${id} --args '${JSON.stringify(example.input).replaceAll("'", "'\\''")}'`,
    example.fails ? `fails with ${example.fails}` : `data: ${JSON.stringify(example.output ?? {})}`,
    ...Object.entries(example.after ?? {}).map(
      ([path, text]) => `${path} after: ${text === null ? "gone" : JSON.stringify(shorten(text))}`,
    ),
  ]
  return [`### ${example.name}`, fence(lines.map((line) => shorten(line, 400)).join("\n"))]
}

function shorten(text: string, most = 160): string {
  return text.length <= most ? text : `${text.slice(0, most)}... (${text.length} characters)`
}
