import { recordOf, textOf } from "../wire/shape.js"

const maxCharacters = 16_000

/** The words of a hover, whichever of the protocol's three forms they come in; undefined when there are none. */
export function hoverText(answer: unknown): string | undefined {
  const { contents } = recordOf(answer) ?? {}
  const parts = Array.isArray(contents) ? contents : [contents]
  const words = parts.flatMap(partOf).join("\n\n").trim()
  return words === "" ? undefined : textOf(words, maxCharacters)
}

function partOf(part: unknown): readonly string[] {
  if (typeof part === "string") return [part]
  const value = recordOf(part)?.value
  return typeof value === "string" ? [value] : []
}
