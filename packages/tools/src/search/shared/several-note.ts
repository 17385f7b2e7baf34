import { quoted } from "./quoted.js"

/** What to say about a glob that found nothing and looks like several: only braces hold alternatives. */
export function severalNotes(glob: string | undefined): readonly string[] {
  if (glob === undefined || /[{}\\]/.test(glob)) return []
  const parts = glob.split(/[,|]/).map((part) => part.trim())
  const words = glob.split(/\s+/)
  // A name may hold blanks; several wildcards between blanks are several patterns.
  const several = parts.length > 1 ? parts : words.every((word) => /[*?]/.test(word)) ? words : []
  return several.length > 1 ? [`for several patterns send ${quoted(`{${several.join(",")}}`)}`] : []
}
