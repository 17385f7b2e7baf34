import { hash } from "node:crypto"
import { usableSchema } from "@haft/runtime"
import type { ToolHints, ToolText } from "../entry/pin.js"

// A server with more is a mistake, or wants to bury something.
const maxTools = 500
const maxDescription = 8000
const maxTitle = 100

/** A tool as a server lists it. */
export interface ListedTool {
  readonly name: string
  readonly title?: string | undefined
  readonly description?: string | undefined
  readonly inputSchema: unknown
  readonly outputSchema?: unknown
  readonly annotations?: (ToolHints & { readonly title?: string | undefined }) | undefined
}

/** The texts of the tools that can be used; each of the others is left out with the reason. */
export function toolTexts(
  server: string,
  listed: readonly ListedTool[],
): { readonly texts: readonly ToolText[]; readonly problems: readonly string[] } {
  const texts = new Map<string, ToolText>()
  const problems: string[] = []
  const ids = new Set<string>()
  for (const tool of listed.slice(0, maxTools)) {
    try {
      const text = textOf(tool)
      const id = toolId(server, text.name)
      if (ids.has(id)) throw new Error("another one of this server has the same id")
      ids.add(id)
      texts.set(text.name, text)
    } catch (error) {
      problems.push(`the tool "${tool.name.slice(0, 80)}" is left out: ${(error as Error).message}`)
    }
  }
  if (listed.length > maxTools) problems.push(`only the first ${maxTools} of ${listed.length} tools are taken`)
  return { texts: [...texts.values()], problems }
}

/** The id of a tool of a server; what ids cannot hold becomes `_`. */
export function toolId(server: string, tool: string): string {
  const id = `mcp__${server}__${tool.replace(/[^A-Za-z0-9_-]/g, "_")}`
  // Of a name in another script nothing is left, and all names of one length would have one id.
  return /[^\u0000-\u007f]/.test(tool) ? `${id}_${hash("sha256", tool).slice(0, 6)}` : id
}

function textOf({ name, title, description = "", inputSchema, outputSchema, annotations = {} }: ListedTool): ToolText {
  if (name === "" || name.length > 128) throw new Error("its name is empty or longer than 128 characters")
  const shown = title ?? annotations.title
  return {
    name,
    ...(shown !== undefined && shown !== "" && { title: shown.slice(0, maxTitle) }),
    description: description.slice(0, maxDescription),
    inputSchema: usableSchema(inputSchema, "input"),
    ...(outputSchema !== undefined && { outputSchema: usableSchema(outputSchema, "output") }),
    ...(hintsOf(annotations) && { annotations: hintsOf(annotations)! }),
  }
}

const hintNames = ["readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint"] as const

function hintsOf(annotations: ToolHints): ToolHints | undefined {
  const given = hintNames.filter((name) => typeof annotations[name] === "boolean")
  return given.length === 0 ? undefined : Object.fromEntries(given.map((name) => [name, annotations[name]]))
}
