import type { Skills } from "@haft/contract"
import { createRegistry, type Registry } from "@haft/runtime"
import { catalog, loadSkillTools } from "@haft/tools"

/** The tools of a session with those that its skills bring or make visible. Without such skills nothing is loaded. */
export async function withSkillTools(registry: Registry, skills: Skills): Promise<Registry> {
  const bringing = (await skills.list()).filter(({ tools = [] }) => tools.length > 0)
  if (bringing.length === 0) return registry
  const { skillTools } = await loadSkillTools()
  const brought = bringing.map(skillTools)
  const wanted = new Set(brought.flatMap(({ visible }) => visible))
  const shown = catalog.filter(({ manifest: { id } }) => wanted.has(id) && registry.find(id) === undefined)
  // Of two skills with a tool of the same id the first one counts, as with skills themselves.
  const own = new Map(brought.flatMap(({ tools }) => tools.map((tool) => [tool.manifest.id, tool] as const)).reverse())
  return createRegistry([...registry.tools, ...shown, ...[...own.values()].reverse()])
}
