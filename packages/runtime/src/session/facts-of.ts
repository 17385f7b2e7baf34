import type { SessionPorts } from "@haft/contract"
import { type Facts, type Recipe, recipeDigest, recipeOfCommand, recipeSource, type Variables } from "@haft/guard"

/** What rules must know about the world, asked from the host when a rule depends on it. */
export interface SessionFacts extends Facts {
  /** The text that a recipe runs now; undefined when there is none. */
  recipeText(recipe: Recipe): string | undefined
}

/** The facts of a session. */
export function factsOf(ports: SessionPorts, { workspace }: Pick<Variables, "workspace">): SessionFacts {
  const recipeTextOf = (recipe: Recipe) => recipeSource(recipe, { peek: (path) => ports.peek(path), roots: workspace })
  return {
    isTracked: (path) => ports.isTracked(path),
    recipeText: recipeTextOf,
    recipeOf(argv, directory) {
      const recipe = directory === undefined ? undefined : recipeOfCommand(argv, directory)
      const text = recipe && recipeTextOf(recipe)
      return text === undefined ? undefined : recipeDigest(text)
    },
  }
}
