import { type Dialect, type PlacedRule, ToolError } from "@haft/contract"
import type { ServedTool } from "@haft/mcp"
import type { ToolOffer } from "@haft/runtime"
import { namesOf } from "../../config/setting.js"
import type { Invocation } from "../invocation.js"
import { type ToolDescription, toolDescriptions, toolNamed, toolsIn } from "../tool-descriptions.js"
import { inLanguage } from "../tools.js"

/** What a client gets that asks for nothing else: it has tools of its own. */
export const clientToolset = "locked"

/** The tools that a server offers, and those that do their work. */
export interface Serving {
  readonly dialect: Dialect | undefined
  /** Ids of the built-in tools that a session needs. */
  readonly ids: readonly string[]
  tools(): Promise<readonly ServedTool[]>
}

/** What this command line and these rules let a client call, in the order of the catalogue. A tool that is always refused is not listed. */
export async function servedTools(
  invocation: Invocation,
  rules: readonly Pick<PlacedRule, "action" | "permission" | "pattern">[],
): Promise<Serving> {
  const dialect = invocation.text("dialect") ?? "haft"
  const named = invocation.text("tools")
  if (named !== undefined && invocation.text("toolset") !== undefined) {
    throw new ToolError("invalid_args", 'Cannot use "--tools" with "--toolset": each says which tools there are', {
      hint: "Use one of them",
    })
  }
  const isRefused = (id: string) =>
    rules.some(({ action, permission, pattern }) => action === "deny" && permission === id && pattern === undefined)
  if (dialect !== "haft") return toolsOfDialect(dialect, { named, isRefused })
  const sets = namesOf(invocation.text("toolset") ?? clientToolset)
  const chosen = named === undefined ? toolsIn(sets) : inOrder(namesOf(named).map(toolNamed))
  const offered = chosen.filter(({ id }) => !isRefused(id))
  return {
    dialect: undefined,
    ids: offered.map(({ id }) => id),
    tools: async () => {
      const { hintsOf } = await import("@haft/runtime")
      const shown = await inLanguage(offered, invocation.language)
      return definitions(shown.map((tool) => ({ ...tool, hints: hintsOf(tool), tool })))
    },
  }
}

function inOrder(tools: readonly ToolDescription[]): readonly ToolDescription[] {
  return toolDescriptions().filter((tool) => tools.includes(tool))
}

async function toolsOfDialect(
  name: string,
  { named, isRefused }: { readonly named: string | undefined; readonly isRefused: (id: string) => boolean },
): Promise<Serving> {
  const { dialectNamed } = await import("@haft/dialects")
  const { dialectOffers, hintsOf, idsOf, rowNamed } = await import("@haft/runtime")
  const dialect = (await dialectNamed(name))!
  const rows = named === undefined ? dialect.tools : namesOf(named).map((each) => rowNamed(dialect, each))
  const byId = new Map(toolDescriptions().map((tool) => [tool.id, tool]))
  const offered = rows.filter((row) => !idsOf(row).every(isRefused))
  return {
    dialect,
    ids: [...new Set(offered.flatMap(idsOf))].filter((id) => byId.has(id)),
    tools: async () =>
      definitions(
        dialectOffers({ ...dialect, tools: offered }).map((offer, index) => {
          const [id] = idsOf(offered[index]!)
          const tool = id === undefined ? undefined : byId.get(id)
          // What another system calls read-only stays so; the rest is as with the tool that does the work.
          return { ...offer, tool, hints: tool ? { ...hintsOf(tool), readOnly: offer.hints.readOnly } : offer.hints }
        }),
      ),
  }
}

type Offered = ToolOffer & { readonly tool: ToolDescription | undefined }

async function definitions(offers: readonly Offered[]): Promise<readonly ServedTool[]> {
  const { formatDefinitions } = await import("@haft/runtime")
  const written = formatDefinitions(offers, "mcp") as readonly ServedTool["definition"][]
  return offers.map(({ id, tool }, index) => ({ definition: written[index]!, name: id, isLong: isLong(tool) }))
}

/** Tools that run programs or other agents take as long as those do. */
function isLong(tool: ToolDescription | undefined): boolean {
  return tool?.kind === "execute" || (tool?.kind === "other" && tool.tier === "full-access")
}
