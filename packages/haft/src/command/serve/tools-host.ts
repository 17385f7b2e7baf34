import { type ApiTool, type ApiToolDetail, nearestNames, type ToolDefinition, ToolError } from "@haft/contract"
import { sayEnglish } from "@haft/language"
import { definitionFormats, formatDefinitions, offerOf } from "@haft/runtime"
import type { ToolsHost } from "@haft/server"
import { callText } from "../session/call-text.js"
import type { ServeWorld } from "./world.js"

/** The catalogue: every tool that a session here can call, those of skills and trusted servers included. */
export function toolsHost(world: ServeWorld): ToolsHost {
  return {
    list: async () => (await world.look()).registry.tools.map(apiTool),
    async detail(id) {
      const { registry } = await world.look()
      const tool = registry.find(id)
      if (!tool) throw unknownTool(id, registry.tools)
      return { ...apiTool(tool), ...(await more(tool)) }
    },
    words: (call) => callText(call, sayEnglish),
    dialect: async (name) => (await import("@haft/dialects")).dialectNamed(name),
  }
}

function apiTool({ manifest, messages }: ToolDefinition): ApiTool {
  const { id, title, kind, tier, toolset, foreign = false, requires, retry, timeoutMs, limit } = manifest
  const { input_schema, output_schema = {} } = offerOf(manifest)
  return {
    ...{
      id,
      title,
      description: manifest.description,
      messages,
      kind,
      tier,
      foreign,
      requires,
      retry,
      timeoutMs,
      limit,
    },
    ...{ input_schema, output_schema },
    ...(toolset !== undefined && { toolset }),
  }
}

async function more({ manifest, examples }: ToolDefinition): Promise<Omit<ApiToolDetail, keyof ApiTool>> {
  const offer = offerOf(manifest)
  return {
    examples: (await examples()).examples.map(({ name, input }) => ({ name, input })),
    definitions: Object.fromEntries(definitionFormats.map((format) => [format, formatDefinitions([offer], format)[0]])),
    dialects: await dialectsOf(manifest.id),
  }
}

/** The names that other systems have for a tool, or for one that does the same in their shape. */
async function dialectsOf(id: string): Promise<ApiToolDetail["dialects"]> {
  const { dialectNames, dialectTools, loadDialect } = await import("@haft/dialects")
  const dialects = await Promise.all(dialectNames.filter((name) => name !== "haft").map(loadDialect))
  const alike = (await dialectTools()).filter(({ manifest }) => manifest.judgedLike === id)
  const ids = new Set([id, ...alike.map(({ manifest }) => manifest.id)])
  return dialects.flatMap(({ name: dialect, tools }) =>
    tools
      .filter(
        ({ tool, choices = [] }) =>
          choices.some((each) => ids.has(each)) || (typeof tool === "string" && ids.has(tool)),
      )
      .map(({ name }) => ({ dialect, name })),
  )
}

function unknownTool(id: string, tools: readonly ToolDefinition[]): ToolError {
  const [near] = nearestNames(
    id,
    tools.map(({ manifest }) => manifest.id),
    1,
  )
  return new ToolError("not_found", `Cannot find tool "${id.slice(0, 100)}": there is no such tool`, {
    hint: near === undefined ? "See GET /api/tools" : `Did you mean ${near}?`,
  })
}
