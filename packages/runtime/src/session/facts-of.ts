import type { SessionPorts } from "@haft/contract"
import {
  type Facts,
  judgeFile,
  type Recipe,
  type RecipeSource,
  recipeOfCommand,
  recipeSource,
  type RuleBook,
  type Variables,
} from "@haft/guard"

/** What rules must know about the world, asked from the host when a rule depends on it. */
export interface SessionFacts extends Facts {
  /** The text that a recipe runs; undefined when there is none. */
  sourceOf(recipe: Recipe): RecipeSource | undefined
  /** The text that a command runs in a folder; undefined when it runs none, or not all of it is known. */
  scriptOf(argv: readonly string[], directory: string | undefined): RecipeSource | undefined
}

/** The facts that one verdict is made from: each text is read once, so that what is judged is what is shown and kept. */
export interface HeldFacts extends SessionFacts {
  /** Whether every text that was read is still the same. */
  isCurrent(): boolean
}

/** The facts of a session. */
export function factsOf(
  ports: SessionPorts,
  { workspace }: Pick<Variables, "workspace">,
  rules: () => RuleBook,
): SessionFacts {
  // A file that rules deny, such as an `.env` that a Makefile takes in, is open to no command and is shown to nobody.
  const admits = (path: string) => judgeFile(rules(), "fs.read", path, ports) !== "deny"
  const peek = (path: string) => ports.peek(path, admits)
  return factsFrom(ports, (recipe) => recipeSource(recipe, { peek, roots: workspace }))
}

/** The same facts, with every text as it is when it is first asked for. */
export function heldFacts(facts: SessionFacts): HeldFacts {
  const read = new Map<string, readonly [Recipe, RecipeSource | undefined]>()
  const held = factsFrom(facts, (recipe) => {
    const key = JSON.stringify(recipe)
    const known = read.get(key) ?? ([recipe, facts.sourceOf(recipe)] as const)
    read.set(key, known)
    return known[1]
  })
  const isCurrent = () =>
    [...read.values()].every(([recipe, source]) => facts.sourceOf(recipe)?.digest === source?.digest)
  return { ...held, isCurrent }
}

function factsFrom({ isTracked }: Pick<Facts, "isTracked">, sourceOf: SessionFacts["sourceOf"]): SessionFacts {
  const scriptOf: SessionFacts["scriptOf"] = (argv, directory) => {
    const recipe = directory === undefined ? undefined : recipeOfCommand(argv, directory)
    const source = recipe && sourceOf(recipe)
    // What is not known in full cannot be compared.
    return source?.complete === true ? source : undefined
  }
  return {
    isTracked,
    sourceOf,
    scriptOf,
    recipeOf: (argv, directory) => scriptOf(argv, directory)?.digest,
  }
}
