import { readdir, readFile } from "node:fs/promises"
import { join } from "node:path"

/** The code of turns: it is run again from its record, so it must do the same each time. */
const turnFolder = "packages/agent/src/turn"

/** What gives another value each time, and what a turn uses in its place. */
const banned: readonly (readonly [pattern: RegExp, instead: string])[] = [
  [/\bDate\.now\b|\bnew Date\(\s*\)/, "port.now()"],
  [/\bperformance\.now\b|\bprocess\.hrtime\b/, "port.now()"],
  [/\bMath\.random\b|\brandomUUID\b|\brandomBytes\b|\brandomInt\b|\bgetRandomValues\b/, "port.uuid()"],
  [/\bset(?:Timeout|Interval|Immediate)\b/, "port.wait() or the time limit of a step"],
  [/(?<![.\w])fetch\(/, "a step that calls a host"],
  [/\bprocess\.env\b/, "a setting that is read in a step"],
]
const bannedModules =
  /^(?:node:)?(?:fs|fs\/promises|child_process|timers|timers\/promises|net|http|https|worker_threads)$/

/** Finds clocks, randomness and input or output in the code of turns. Tests of it may use them. */
export async function checkTurns(root: string): Promise<readonly string[]> {
  const entries = await readdir(join(root, turnFolder), { recursive: true })
  const files = entries.filter((name) => /\.ts$/.test(name) && !/\.(?:test|types)\.ts$/.test(name)).sort()
  const problems = await Promise.all(
    files.map(async (name) =>
      problemsOf(`${turnFolder}/${name}`, await readFile(join(root, turnFolder, name), "utf8")),
    ),
  )
  return problems.flat()
}

function problemsOf(file: string, source: string): readonly string[] {
  const problems: string[] = []
  for (const [index, line] of withoutComments(source).split("\n").entries()) {
    for (const [pattern, instead] of banned) {
      const found = pattern.exec(line)?.[0]
      if (found) problems.push(`${file}:${index + 1} uses ${found.trim()}: a turn is run again; use ${instead}`)
    }
    const imported = /from\s+"([^"]+)"|import\(\s*"([^"]+)"/.exec(line)
    const module = imported?.[1] ?? imported?.[2]
    if (module && bannedModules.test(module)) {
      problems.push(`${file}:${index + 1} imports "${module}": effects of a turn happen in the hosts of its steps`)
    }
  }
  return problems
}

/** Comments become spaces; line numbers stay. */
function withoutComments(source: string): string {
  return source.replace(/\/\*[\s\S]*?\*\//g, (text) => text.replace(/[^\n]/g, " ")).replace(/(^|\s)\/\/.*$/gm, "")
}
