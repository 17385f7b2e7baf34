import type { AnyDialectTool, Dialect, ToolDefinition } from "@haft/contract"
import { code, generatedNote, page, table } from "./markdown.js"

/** The page of dialects: which of our tools does the work of each foreign name. */
export function dialectPage(
  dialects: readonly Dialect[],
  catalog: readonly ToolDefinition[],
  dialectTools: readonly ToolDefinition[],
): string {
  const own = new Set<string>(catalog.map(({ manifest }) => manifest.id))
  const reachable = new Set<string>(dialectTools.map(({ manifest }) => manifest.id))
  const link = (id: string) => {
    if (own.has(id)) return `[${id}](tools/${id}.md)`
    return reachable.has(id) ? code(id) : `${code(id)}, not there yet`
  }
  return page(
    generatedNote,
    "# Dialects",
    "The same tools under the names, arguments and result shapes that another system knows. A call in a dialect takes the same way as any other: the same rules judge it, the same journal records it, and only its name, arguments and result are translated.",
    "`haft tools --dialect claw` lists one, `haft call read_file path=a.txt --dialect claw` speaks it. In code: `session.callIn(await dialectNamed(name), tool, input)`.",
    "A tool without a link is reached only through dialects: a narrower or richer shape of the same work.",
    ...dialects.flatMap(({ name, tools }) => [
      `## ${name}`,
      table(
        ["name", "tool", "what it does"],
        tools.map((row: AnyDialectTool) => [
          [row.name, ...(row.aliases ?? [])].map(code).join(", "),
          workersOf(row).map(link).join(" or "),
          firstSentence(row.description),
        ]),
      ),
    ]),
  )
}

function workersOf({ tool, choices = [] }: AnyDialectTool): readonly string[] {
  return typeof tool === "string" ? [tool] : choices
}

function firstSentence(text: string): string {
  const line = text.trim().split("\n")[0]!
  return /^.*?[.!?](?=\s|$)/.exec(line)?.[0] ?? line
}
