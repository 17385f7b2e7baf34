import type { SessionPorts } from "@haft/contract"
import { type Facts, recipeDigest, recipeOfCommand, recipeText } from "@haft/guard"

/** What rules must know about the world, asked from the host when a rule depends on it. */
export function factsOf(ports: SessionPorts, directory: string): Facts {
  return {
    isTracked: (path) => ports.isTracked(path),
    recipeOf(argv) {
      const recipe = recipeOfCommand(argv, directory)
      const file = recipe && ports.peek(recipe.file)
      const text = file === undefined ? undefined : recipe && recipeText(recipe, file)
      return text === undefined ? undefined : recipeDigest(text)
    },
  }
}
