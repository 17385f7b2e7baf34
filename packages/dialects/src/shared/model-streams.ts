import type { ToolResult } from "@haft/contract"
import { cleanOutput } from "@haft/tools/shell/shared/output/clean-output.js"
import { textLimit } from "@haft/tools/shell/shared/output/command-text.js"
import { dataOf } from "./parts-of-result.js"

/** Both streams for a model that gets them apart: as a terminal shows them, head and tail of long ones. */
export function modelStreams(result: ToolResult): { readonly stdout: string; readonly stderr: string } {
  const data = dataOf<{ readonly stdout: string; readonly stderr: string }>(result)
  const [stdout, stderr] = [cleanOutput(data.stdout).text, cleanOutput(data.stderr).text]
  const path = result.envelope.metadata?.output_path
  const half = textLimit.maxCharacters / 2
  // A short stream stays whole; what it leaves goes to the long one.
  return {
    stdout: headAndTail(stdout, { characters: Math.max(half, 2 * half - stderr.length), path }),
    stderr: headAndTail(stderr, { characters: Math.max(half, 2 * half - stdout.length), path }),
  }
}

function headAndTail(text: string, { characters, path }: { characters: number; path: string | undefined }): string {
  if (text.length <= characters) return text
  const part = Math.floor(characters / 2)
  const head = text.slice(0, part).replace(/[\ud800-\udbff]$/, "")
  const tail = text.slice(-part).replace(/^[\udc00-\udfff]/, "")
  const where = path === undefined ? "" : `; more is in ${path}`
  return `${head}\n[... ${text.length - head.length - tail.length} characters left out${where} ...]\n${tail}`
}
