import type { Face, ToolDefinition, ToolFaces } from "@haft/contract"
import { type Check, cannotDraw, type ToolPackage, type World } from "./point.js"

function propsOf({ manifest, messages }: ToolDefinition) {
  const ids = { identifier: manifest.id, apiName: manifest.id, messageId: "message", toolCallId: "call" }
  return { ...ids, kind: manifest.kind, locale: "en", words: messages.en, args: {} }
}

/** The header of a call is drawn in every phase. */
export async function inspectors({ tools, faces }: ToolPackage, { runs, draw }: World): Promise<readonly string[]> {
  if (draw === undefined) return cannotDraw
  const ran = await runs.examples()
  return tools.flatMap((tool) => {
    const face = faces[tool.manifest.id]?.Inspector
    if (face === undefined) return []
    const example = ran.find((each) => each.tool === tool)?.example.input ?? {}
    const [first] = Object.entries(example as object)
    const phases = {
      "while arguments stream": { isArgumentsStreaming: true, isLoading: true, partialArgs: {} },
      "with a part of the arguments": {
        isArgumentsStreaming: true,
        isLoading: true,
        partialArgs: Object.fromEntries(first ? [first] : []),
      },
      "while it runs": { isLoading: true, args: example },
      "without state": { args: example, result: { content: null } },
      "after an error": { args: example, result: { content: null, error: { type: "internal", message: "no" } } },
    }
    return Object.entries(phases).flatMap(([phase, props]) => {
      const problem = drawing(() => draw(face as Face<never>, { ...propsOf(tool), ...props }))
      return problem === undefined ? [] : [`${tool.manifest.id}: Inspector ${phase}: ${problem}`]
    })
  })
}

/** Why nothing is drawn; undefined when something is. */
function drawing(draw: () => string): string | undefined {
  try {
    return draw() === "" ? "nothing is drawn" : undefined
  } catch (error) {
    return `it throws (${error instanceof Error ? error.message : String(error)})`
  }
}

/** A result that is not there is not drawn. */
export function renders({ tools, faces }: ToolPackage, { draw }: World): readonly string[] {
  if (draw === undefined) return cannotDraw
  return tools.flatMap((tool) => {
    const face = faces[tool.manifest.id]?.Render
    if (face === undefined) return []
    try {
      const markup = draw(face as Face<never>, { ...propsOf(tool), content: "", pluginState: undefined })
      return markup === "" ? [] : [`${tool.manifest.id}: Render draws something without data`]
    } catch (error) {
      return [`${tool.manifest.id}: Render throws without data (${(error as Error).message})`]
    }
  })
}

/** A face of the package is drawn in its phase; where it has none, the default draws. */
export function drawn(name: keyof ToolFaces, props: object): Check {
  return async ({ tools, faces }, { runs, draw }) => {
    if (draw === undefined) return cannotDraw
    const ran = await runs.examples()
    return tools.flatMap((tool) => {
      const face = faces[tool.manifest.id]?.[name]
      if (face === undefined) return []
      const { example, envelope } = ran.find((each) => each.tool === tool && each.envelope.type === "output") ?? {}
      const args = (example?.input ?? {}) as object
      const state = envelope?.type === "output" ? envelope.data : undefined
      const given = { ...propsOf(tool), ...props, args, ...(name === "Portal" && { arguments: args, state }) }
      const problem = drawing(() => draw(face as Face<never>, given))
      return problem === undefined ? [] : [`${tool.manifest.id}: ${name}: ${problem}`]
    })
  }
}
