import type { EndOfWall } from "../backend.js"

/** srt tells of its own failures on a line of its own. */
export function explainSrt({ stderrTail, exitCode }: EndOfWall): string | undefined {
  if (exitCode !== 1) return undefined
  const line = stderrTail.split("\n").findLast((text) => /^Error: .*(sandbox|dependenc|settings)/i.test(text))
  return line?.slice("Error: ".length).trim()
}
