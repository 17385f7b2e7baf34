import { join } from "node:path"
import type { SearchPlace } from "./search-place.js"

/** Shows paths relative to the place as people see them. */
export function displayIn({ held, workingDirectory, display }: SearchPlace): (path: string) => string {
  const each = (path: string) => display(join(held.path, path))
  // Below one folder all paths are shown with the same beginning, unless the working directory itself lies below it.
  if (`${workingDirectory}/`.startsWith(join(held.path, "/")) && workingDirectory !== held.path) return each
  const sample = each(sampleName)
  if (!sample.endsWith(sampleName)) return each
  const beginning = sample.slice(0, -sampleName.length)
  return (path) => beginning + path
}

const sampleName = "x"
