import type { Skipped } from "@haft/contract"
import * as z from "zod"

/** What a search left out; a field is there only when something was. */
export const skippedSchema = z
  .strictObject({
    denied: z.int().min(1).optional().describe("Files that a rule denies"),
    unreadable: z.int().min(1).optional().describe("Files that could not be read"),
    changed: z.int().min(1).optional().describe("Files that changed during the search"),
  })
  .optional()

type SkippedFiles = z.infer<typeof skippedSchema>

/** The `skipped` field of a search's output; nothing when nothing was left out. */
export function skippedField({ denied, unreadable, changed = 0 }: Skipped): { readonly skipped?: SkippedFiles } {
  if (denied === 0 && unreadable === 0 && changed === 0) return {}
  return {
    skipped: { ...(denied > 0 && { denied }), ...(unreadable > 0 && { unreadable }), ...(changed > 0 && { changed }) },
  }
}

/** What was left out, in words. */
export function skippedNotes(skipped: SkippedFiles): readonly string[] {
  return [
    ...(skipped?.denied === undefined ? [] : [`${skipped.denied} left out by rules`]),
    ...(skipped?.unreadable === undefined ? [] : [`${skipped.unreadable} could not be read`]),
    ...(skipped?.changed === undefined ? [] : [`${skipped.changed} changed during the search; search again`]),
  ]
}
