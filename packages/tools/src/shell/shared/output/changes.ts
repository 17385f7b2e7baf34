import type { ObservedChanges } from "@haft/contract"
import * as z from "zod"

// An installation writes thousands of files; these are enough to see what happened, the journal has all.
const maxPaths = 100
const maxShown = 10

const paths = z.array(z.string())

/** What a command changed in the workspace; absent when it changed nothing. */
export const changesSchema = z
  .strictObject({
    written: paths,
    deleted: paths,
    unexpected: paths.describe("Changed, but not among the effects that were judged"),
    protected_created: paths,
    left_out: z.int().min(1).optional().describe("Paths that these lists do not name"),
    complete: z.boolean().describe("False when not everything was compared or can be undone"),
    note: z.string().optional(),
  })
  .optional()

type ChangesData = z.infer<typeof changesSchema>

/** The `changes` field of an output; nothing when there were none and all was compared. */
export function changesField(changes: ObservedChanges): { readonly changes?: ChangesData } {
  const { written, deleted, unexpected, protectedCreated, complete, note } = changes
  const lists = [written, deleted, unexpected, protectedCreated]
  if (complete && lists.every(({ length }) => length === 0)) return {}
  const leftOut = lists.reduce((sum, { length }) => sum + Math.max(0, length - maxPaths), 0)
  return {
    changes: {
      written: written.slice(0, maxPaths),
      deleted: deleted.slice(0, maxPaths),
      unexpected: unexpected.slice(0, maxPaths),
      protected_created: protectedCreated.slice(0, maxPaths),
      ...(leftOut > 0 && { left_out: leftOut }),
      complete,
      ...(note !== undefined && { note }),
    },
  }
}

/** What the model should know about changes: only those that nobody expected. */
export function changesNotes(changes: ChangesData): readonly string[] {
  if (changes === undefined) return []
  return [
    ...(changes.unexpected.length > 0 ? [`changed unexpectedly: ${listed(changes.unexpected)}`] : []),
    ...(changes.protected_created.length > 0 ? [`created protected names: ${listed(changes.protected_created)}`] : []),
    ...(changes.note === undefined ? [] : [changes.note]),
  ]
}

function listed(names: readonly string[]): string {
  // A name may hold line breaks, which would look like further lines.
  const shown = names.slice(0, maxShown).map((name) => (/[\n\r;]/.test(name) ? JSON.stringify(name) : name))
  const rest = names.length - shown.length
  return rest > 0 ? `${shown.join(", ")} and ${rest} more` : shown.join(", ")
}
