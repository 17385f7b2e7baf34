import { joinPath } from "../../path/join-path.js"
import type { Recipe } from "./recipe-of.js"
import { recipeText } from "./recipe-text.js"
import { withIncludes } from "./with-includes.js"

/** What is needed to find the file of a recipe. */
export interface RecipePlaces {
  /** The text of a file; undefined when there is none. */
  readonly peek: (path: string) => string | undefined
  /** Folders above these are not looked into. */
  readonly roots: readonly string[]
}

/** The text that a recipe runs, as far as it can be told. */
export interface RecipeSource {
  readonly text: string
  /** False when text of other files belongs to it that is not known before it runs. */
  readonly complete: boolean
}

/** The text that a recipe runs, out of the file in which its program finds it; undefined when there is none. */
export function recipeSource(recipe: Recipe, { peek, roots }: RecipePlaces): RecipeSource | undefined {
  const start = joinPath(recipe.file, "..")
  const folders = climbing.has(recipe.kind) ? foldersUpwards(start, roots) : [start]
  for (const folder of folders) {
    for (const name of names[recipe.kind]) {
      const text = peek(joinPath(folder, name))
      if (text !== undefined) return sourceIn(recipe, { text, folder }, peek)
    }
  }
  return undefined
}

function sourceIn(
  recipe: Recipe,
  file: { readonly text: string; readonly folder: string },
  peek: RecipePlaces["peek"],
): RecipeSource | undefined {
  const { text: whole, complete } =
    recipe.kind === "npm" ? { text: file.text, complete: true } : withIncludes(recipe.kind, file, peek)
  const text = recipeText(recipe, whole)
  return text === undefined ? undefined : { text, complete }
}

/** In the order in which each program looks. */
const names: Readonly<Record<Recipe["kind"], readonly string[]>> = {
  npm: ["package.json"],
  make: ["GNUmakefile", "makefile", "Makefile"],
  just: ["justfile", "Justfile", "JUSTFILE", ".justfile"],
}

/** These also look in the folders above the one that they are started in. */
const climbing: ReadonlySet<Recipe["kind"]> = new Set(["npm", "just"])

function foldersUpwards(start: string, roots: readonly string[]): readonly string[] {
  const root = roots.find((each) => start === each || start.startsWith(`${each}/`))
  const folders = [start]
  if (root === undefined) return folders
  for (let folder = start; folder !== root; ) {
    folder = joinPath(folder, "..")
    folders.push(folder)
  }
  return folders
}
