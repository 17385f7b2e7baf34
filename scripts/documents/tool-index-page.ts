import type { ToolDefinition } from "@haft/contract"
import { code, generatedNote, page, table } from "./markdown.js"
import { type NamedToolset, toolsetsOf } from "./toolsets-of.js"

/** The list of all tools and of the groups they are offered in. */
export function toolIndexPage(catalog: readonly ToolDefinition[], toolsets: readonly NamedToolset[]): string {
  return page(
    generatedNote,
    "# Tools",
    table(
      ["tool", "title", "toolsets", "kind", "reach"],
      catalog.map(({ manifest }) => [
        `[${manifest.id}](${manifest.id}.md)`,
        manifest.title,
        toolsetsOf(manifest.id, toolsets).join(", "),
        manifest.kind,
        manifest.tier,
      ]),
    ),
    "## Toolsets",
    ...toolsets.flatMap(({ name, prompt, tools }) => [
      `### ${code(name)}`,
      tools.map((id) => `[${id}](${id}.md)`).join(", "),
      prompt,
    ]),
  )
}
