import type { Script } from "./script-of.js"
import { type Block, blocksOf } from "./target-blocks.js"

/** The text of a script, out of the text of its file; undefined when the file has no such script. */
export function scriptText(script: Script, fileText: string): string | undefined {
  if (script.kind === "file") return fileText
  return script.kind === "npm" ? packageScript(script.name, fileText) : targetText(script.name, fileText)
}

/** A package script with those that run before and after it, and those that they name in their turn. */
function packageScript(name: string, fileText: string): string | undefined {
  const scripts = scriptsOf(fileText)
  const script = scripts.get(name)
  if (script === undefined) return undefined
  const needed = neededScripts(name, scripts)
  return needed.length === 1 ? script : needed.map((each) => `${each}: ${scripts.get(each)}`).join("\n")
}

/** Whatever is in a script like the name of another may run it: `npm run lint`, `yarn lint`, `run-s lint build:*`. */
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
 * The lines of a target and of those that it needs, and everything outside of targets: variables and settings decide
 * what the lines mean. Recipes of other targets are left out, unless names are put together where nobody can follow.
 */
function targetText(name: string, fileText: string): string | undefined {
  const blocks = blocksOf(fileText)
  const wanted =
    name === "" ? (blocks.find(({ targets }) => isOrdinary(targets))?.targets.slice(0, 1) ?? []) : name.split(" ")
  const known = wanted.filter((each) => blocks.some(({ targets }) => targets.includes(each)))
  if (known.length === 0 || known.length < wanted.length) return undefined
  const kept = keptBlocks(known, blocks)
  const shown = kept.some(computesNames) ? blocks : kept
  const lines = shown.flatMap((block) => block.lines).filter((line) => line.trim() !== "" && !/^\s*#/.test(line))
  return lines.join("\n")
}

/** Whatever is in the kept lines like the name of a target may be needed: `a: b`, `NEEDS = b`, `$(MAKE) b`. */
function keptBlocks(wanted: readonly string[], blocks: readonly Block[]): readonly Block[] {
  const byTarget = new Map<string, Block[]>()
  for (const block of blocks) {
    for (const target of block.targets) {
      const known = byTarget.get(target)
      if (known) known.push(block)
      else byTarget.set(target, [block])
    }
  }
  const kept = new Set(blocks.filter(({ targets }) => targets.length === 0 || targets.some(isPattern)))
  const looked = new Set<string>()
  // Grows while it is gone through: each block and each name is looked at once, however they need one another.
  const names = [...wanted, ...[...kept].flatMap(namesIn)]
  for (const name of names) {
    if (looked.has(name)) continue
    looked.add(name)
    for (const block of byTarget.get(name) ?? []) {
      if (kept.has(block)) continue
      kept.add(block)
      for (const each of namesIn(block)) names.push(each)
    }
  }
  return blocks.filter((block) => kept.has(block))
}

function namesIn({ targets, lines }: Block): readonly string[] {
  return [...targets, ...lines.flatMap(wordsOf)]
}

/** The words of a line; signs in front of a recipe line are no part of its first. */
function wordsOf(line: string): readonly string[] {
  return line.split(/[\s"'`;:&|(){}=,$]+/).map((word) => word.replace(/^[@+-]+/, ""))
}

/** Functions that make names or rules, another mark of recipe lines, names that are put together from variables. */
function computesNames({ targets, lines }: Block): boolean {
  const needs = targets.length === 0 ? "" : lines[0]!.slice(lines[0]!.indexOf(":"))
  return /[\w.-]\$[({]|[)}][\w.-]/.test(needs) || lines.some((line) => computes.test(line))
}

const computes =
  /\$[({](?:eval|call|foreach|addprefix|addsuffix|patsubst|subst|join|shell|value)\s|\.SECONDEXPANSION|\.RECIPEPREFIX|\$[({]MAKE[)}][^$]*\$/

function isOrdinary(targets: readonly string[]): boolean {
  return targets.length > 0 && !targets[0]!.startsWith(".") && !isPattern(targets[0]!)
}

/** A rule with a pattern or a variable in its name may make anything. */
function isPattern(target: string): boolean {
  return /[%$]/.test(target)
}
