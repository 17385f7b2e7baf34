import type { AnyDialectTool, Dialect, ToolDefinition } from "@haft/contract"
import { idsOf } from "@haft/runtime"
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
    "Tools that a host, a skill, a server or an extension brings have no row here. They are offered and called in every dialect under their own names, unless the system has a tool of that name; where it has a search for tools, many are found with it.",
    ...dialects.flatMap(({ name, tools }) => [
      `## ${name}`,
      table(
        ["name", "tool", "what it does"],
        tools.map((row: AnyDialectTool) => [
          [row.name, ...(row.aliases ?? [])].map(code).join(", "),
          idsOf(row).map(link).join(" or "),
          firstSentence(row.description),
        ]),
      ),
    ]),
  )
}

function firstSentence(text: string): string {
  const line = text.trim().split("\n")[0]!
  return /^.*?[.!?](?=\s|$)/.exec(line)?.[0] ?? line
}
