import { nearestNames, type Skill, type Skills, ToolError } from "@haft/contract"

/** Skills that a test lists itself. */
export function fakeSkills(list: readonly Skill[] = []): Skills {
  return {
    list: async () => list.map(({ body: _, ...entry }) => entry),
    async load(name) {
      const found = list.find((skill) => skill.name === name)
      if (found) return found
      const near = nearestNames(
        name,
        list.map((skill) => skill.name),
      )
      throw new ToolError("not_found", `Cannot load skill "${name}": there is none of that name`, {
        ...(near.length > 0 && { hint: `Did you mean "${near[0]}"?` }),
      })
    },
  }
}
