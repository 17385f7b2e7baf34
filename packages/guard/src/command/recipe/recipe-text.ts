import type { Recipe } from "./recipe-of.js"
import { targetText } from "./target-text.js"

/** The text that a recipe runs, out of the text of its file; undefined when the file has no such recipe. */
export function recipeText(recipe: Recipe, fileText: string): string | undefined {
  if (recipe.kind === "file") return fileText
  return recipe.kind === "npm" ? packageScript(recipe.name, fileText) : targetText(recipe.kind, recipe.name, fileText)
}

/** A package script with those that run before and after it, and those that they name in their turn. */
function packageScript(name: string, fileText: string): string | undefined {
  const scripts = scriptsOf(fileText)
  const script = scripts.get(name)
  if (script === undefined) return undefined
  const needed = neededScripts(name, scripts)
  return needed.length === 1 ? script : needed.map((each) => `${each}: ${scripts.get(each)}`).join("\n")
}

/** Whatever stands in a script like the name of another may run it: `npm run lint`, `yarn lint`, `run-s lint build:*`. */
function neededScripts(name: string, scripts: ReadonlyMap<string, string>): readonly string[] {
  const needed = new Set<string>()
  const add = (each: string) => {
    for (const around of [`pre${each}`, each, `post${each}`]) if (scripts.has(around)) needed.add(around)
  }
  add(name)
  for (const each of needed) {
    const words = new Set(scripts.get(each)!.split(/[\s"'`;&|()=]+/))
    for (const other of scripts.keys()) {
      const groups = [...words].some((word) => word.includes("*") && other.startsWith(word.replace(/\*.*$/, "")))
      if (words.has(other) || groups) add(other)
    }
  }
  return [...needed]
}

function scriptsOf(fileText: string): ReadonlyMap<string, string> {
  try {
    const { scripts } = JSON.parse(fileText.replace(/^\ufeff/, ""))
    return new Map(
      Object.entries(scripts ?? {}).filter((entry): entry is [string, string] => typeof entry[1] === "string"),
    )
  } catch {
    return new Map()
  }
}
