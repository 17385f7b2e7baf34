import { visibleLine } from "../../terminal/visible.js"

/** One line a reason why something stays as a call left it: git alone changes a dozen files at once. */
export function leftLines(left: readonly { readonly path: string; readonly reason: string }[]): readonly string[] {
  const byReason = new Map<string, string[]>()
  for (const { path, reason } of left) {
    const paths = byReason.get(reason)
    if (paths) paths.push(path)
    else byReason.set(reason, [path])
  }
  return [...byReason].map(([reason, paths]) => {
    const more = paths.length > 1 ? ` and ${paths.length - 1} more` : ""
    return `left ${visibleLine(paths[0]!)}${more}: ${visibleLine(reason)}`
  })
}
