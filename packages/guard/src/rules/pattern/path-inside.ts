import { compileGlob } from "./glob.js"
import { matchesPath, pathOf } from "./path-matcher.js"
import { matchesEverything, type PathPart, type PathPattern, type PathVariant } from "./path-pattern.js"

/** Whether every path of the inner pattern is one of the outer, as far as the text shows it; in doubt no. */
export function pathInside(inner: PathPattern, outer: PathPattern): boolean {
  return (
    inner.variants.length > 0 &&
    inner.variants.every((variant) => outer.variants.some((other) => variantInside(variant, other)))
  )
}

function variantInside(inner: PathVariant, outer: PathVariant): boolean {
  if (inner.number <= outer.number) return false
  if (matchesEverything(outer)) return true
  const innerFixed = fixedBeginning(inner.folded)
  if (innerFixed === inner.folded.length) return matchesPath(outer.folded, pathOf(inner.folded))
  const outerFixed = fixedBeginning(outer.folded)
  const outerRest = outer.folded.slice(outerFixed)
  if (outerRest[0]?.type !== "any") return false
  if (!startsWith(inner.folded, outer.folded.slice(0, outerFixed))) return false
  if (outerRest.length === 1) return true
  if (innerFixed > outerFixed && sameParts(inner.folded.slice(innerFixed), outerRest)) return true
  return nameInGlob(inner, outer)
}

/** `**` and a name lies in `**` and a glob that matches the name. */
function nameInGlob(inner: PathVariant, outer: PathVariant): boolean {
  const [innerStart, name] = inner.folded
  const [outerStart, glob] = outer.folded
  if (inner.folded.length !== 2 || outer.folded.length !== 2) return false
  if (innerStart?.type !== "any" || outerStart?.type !== "any") return false
  return name?.type === "name" && glob?.type === "glob" && compileGlob(glob.text)(name.text)
}

function fixedBeginning(parts: readonly PathPart[]): number {
  const end = parts.findIndex((part) => part.type !== "name")
  return end < 0 ? parts.length : end
}

function startsWith(parts: readonly PathPart[], beginning: readonly PathPart[]): boolean {
  return beginning.every((part, index) => parts[index]?.type === "name" && parts[index].text === part.text)
}

function sameParts(left: readonly PathPart[], right: readonly PathPart[]): boolean {
  return (
    left.length === right.length &&
    left.every((part, index) => part.type === right[index]!.type && part.text === right[index]!.text)
  )
}
