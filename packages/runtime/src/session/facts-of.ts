import type { SessionPorts } from "@haft/contract"
import {
  type Facts,
  judgeFile,
  type Recipe,
  recipeDigest,
  recipeOfCommand,
  recipeSource,
  type RuleBook,
  type Variables,
} from "@haft/guard"

/** What rules must know about the world, asked from the host when a rule depends on it. */
export interface SessionFacts extends Facts {
  /** The text that a recipe runs now; undefined when there is none. */
  recipeText(recipe: Recipe): string | undefined
}

/** The facts of a session. */
export function factsOf(
  ports: SessionPorts,
  { workspace }: Pick<Variables, "workspace">,
  rules: () => RuleBook,
): SessionFacts {
  // A file that rules deny, such as an `.env` that a Makefile takes in, is open to no command and is shown to nobody.
  const peek = (path: string) => (judgeFile(rules(), "fs.read", path, ports) === "deny" ? undefined : ports.peek(path))
  const sourceOf = (recipe: Recipe) => recipeSource(recipe, { peek, roots: workspace })
  return {
    isTracked: (path) => ports.isTracked(path),
    recipeText: (recipe) => sourceOf(recipe)?.text,
    recipeOf(argv, directory) {
      const recipe = directory === undefined ? undefined : recipeOfCommand(argv, directory)
      const source = recipe && sourceOf(recipe)
      // What is not known in full cannot be compared.
      return source?.complete === true ? recipeDigest(source.text) : undefined
    },
  }
}
