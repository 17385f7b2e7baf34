import { bestEffort } from "@haft/contract"

/** Lines of the diff that a message shows. */
const maxLines = 40
const maxLineLength = 200
/** Texts above this size are not compared: a message is not worth the time. */
const maxComparedBytes = 1024 * 1024

/** A short unified diff of what changed, or undefined when that takes more than a few lines of text. */
export async function changeDiff(former: Uint8Array, now: Uint8Array): Promise<string | undefined> {
  if (former.length + now.length > maxComparedBytes) return undefined
  const [before, after] = [textOf(former), textOf(now)]
  if (before === undefined || after === undefined) return undefined
  // Loaded when needed: most processes never meet a conflict.
  const { structuredPatch } = await import("diff")
  // Bounded: two texts without a common line would otherwise take quadratic time.
  const patch = structuredPatch("", "", before, after, undefined, undefined, { context: 2, maxEditLength: 500 })
  if (!patch) return undefined
  const lines = patch.hunks.flatMap((hunk) => [
    `@@ -${hunk.oldStart},${hunk.oldLines} +${hunk.newStart},${hunk.newLines} @@`,
    ...hunk.lines.map((line) => (line.length > maxLineLength ? `${line.slice(0, maxLineLength)}...` : line)),
  ])
  const shown = lines.slice(0, maxLines)
  return lines.length > maxLines ? [...shown, `... ${lines.length - maxLines} more lines`].join("\n") : shown.join("\n")
}

function textOf(bytes: Uint8Array): string | undefined {
  if (bytes.includes(0)) return undefined
  return bestEffort("it is no text", () => new TextDecoder("utf-8", { fatal: true }).decode(bytes))
}
