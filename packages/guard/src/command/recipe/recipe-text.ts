import type { Recipe } from "./recipe-of.js"

/** The text that a recipe runs, out of the text of its file; undefined when the file has no such recipe. */
export function recipeText(recipe: Recipe, fileText: string): string | undefined {
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

/**
 * The lines of a target and of those that it needs, and everything outside of targets: variables, includes and
 * settings decide what the lines mean. Recipes of other targets are left out.
 */
function targetText(kind: "make" | "just", name: string, fileText: string): string | undefined {
  const blocks = blocksOf(fileText.split(/\r?\n/), kind)
  const wanted =
    name === "" ? (blocks.find(({ targets }) => isOrdinary(targets))?.targets.slice(0, 1) ?? []) : name.split(" ")
  const known = wanted.filter((each) => blocks.some(({ targets }) => targets.includes(each)))
  // Of `just build x` the further words may be arguments.
  if (known.length === 0 || (kind === "make" && known.length < wanted.length)) return undefined
  const needed = neededTargets(known, blocks)
  const kept = blocks.filter(
    ({ targets }) => targets.length === 0 || targets.some((target) => needed.has(target) || isPattern(target)),
  )
  const lines = kept.flatMap((block) => block.lines).filter((line) => line.trim() !== "" && !/^\s*#/.test(line))
  return lines.join("\n")
}

interface Block {
  /** Empty for lines outside of targets. */
  readonly targets: readonly string[]
  readonly needs: readonly string[]
  readonly lines: string[]
}

// `just` writes parameters, which may have values, behind the name of a recipe.
const ruleLine = {
  make: /^([^\s#:=][^:=]*?)\s*::?(?!=)\s*([^=]*)$/,
  just: /^@?([A-Za-z_][\w-]*)(?:\s[^:]*)?:(?!=)\s*(.*)$/,
}

function blocksOf(lines: readonly string[], kind: "make" | "just"): readonly Block[] {
  const blocks: Block[] = []
  for (const line of lines) {
    const rule = ruleLine[kind].exec(line)
    const last = blocks.at(-1)
    if (rule) blocks.push({ targets: rule[1]!.split(/\s+/), needs: needsOf(rule[2]!), lines: [line] })
    else if (last && (/^\s/.test(line) || line === "" || last.targets.length === 0)) last.lines.push(line)
    else blocks.push({ targets: [], needs: [], lines: [line] })
  }
  return blocks
}

function needsOf(text: string): readonly string[] {
  return text
    .replace(/[;#].*$/, "")
    .split(/[\s|()&]+/)
    .filter((word) => word !== "")
}

function neededTargets(wanted: readonly string[], blocks: readonly Block[]): ReadonlySet<string> {
  const needed = new Set(wanted)
  for (const target of needed) {
    for (const block of blocks) if (block.targets.includes(target)) for (const need of block.needs) needed.add(need)
  }
  return needed
}

function isOrdinary(targets: readonly string[]): boolean {
  return targets.length > 0 && !targets[0]!.startsWith(".") && !isPattern(targets[0]!)
}

/** A rule with a pattern or a variable in its name may make anything. */
function isPattern(target: string): boolean {
  return /[%$]/.test(target)
}
