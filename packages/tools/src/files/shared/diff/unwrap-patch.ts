import type { ToolError } from "@haft/contract"

type Malformed = (reason: string, patchLine?: number) => ToolError

/**
 * The lines of a patch without what models put around it: a code fence, a here-document for apply_patch, git apply or
 * patch, or one in the other. Those lines become empty, so that all others keep their numbers.
 */
export function unwrapPatch(sent: readonly string[], malformed: Malformed): readonly string[] {
  if (sent.length === 1 && /\\n(?:@@|\*\*\*|---|[-+ ])/.test(sent[0]!)) {
    throw malformed("its line breaks are a backslash and an n; send real line breaks")
  }
  const lines = [...sent]
  for (let depth = 0; depth < maxDepth; depth += 1) {
    const first = lines.findIndex(isFilled)
    const last = lines.findLastIndex(isFilled)
    if (first === -1) return lines
    const end = endOf(lines[first]!)
    if (end === undefined) {
      refuseCommand(lines, first, malformed)
      return withoutEnd(lines, last)
    }
    lines[first] = ""
    if (end.test(endWord(lines[last]!))) lines[last] = ""
  }
  return lines
}

const maxDepth = 4

/** What ends the wrapping that a line begins; undefined for a line that begins none. */
function endOf(line: string): RegExp | undefined {
  const fence = /^(`{3,100}|~{3,100})[\w.+-]{0,100}\s*$/.exec(line)?.[1]
  if (fence !== undefined) return new RegExp(`^${fence[0]}{${fence.length},}$`)
  const delimiter = line.length > maxCommandUnits ? undefined : hereDocument.exec(line.trim())?.[2]
  return delimiter === undefined ? undefined : new RegExp(`^${delimiter.replaceAll(".", "\\.")}$`)
}

const maxCommandUnits = 1_000
// Other options, such as -R or --directory, would mean another change.
const program = String.raw`(?:apply_patch|applypatch|git apply|patch)(?:\s+-(?:p[01]|u)?)*`
const hereDocument = new RegExp(
  String.raw`^(?:cat\s*|${program}\s*)?<<-?\s*(["']?)([A-Za-z_][\w.-]*)\1\s*(?:\|\s*${program})?$`,
)

/** Another command around a patch may mean another folder, or more than a patch; nobody has judged it. */
function refuseCommand(lines: readonly string[], first: number, malformed: Malformed): void {
  const command = lines[first]!.slice(0, maxCommandUnits)
  const delimiter = /^(?![-+@* ]).*?<<-?\s*(["']?)([A-Za-z_][\w.-]*)\1/.exec(command)?.[2]
  // Words that merely look like a here-document end with no delimiter.
  if (!lines.some((line, index) => index > first && endWord(line) === delimiter)) return
  throw malformed("it is wrapped in a command that is more than apply_patch; send the patch alone", first + 1)
}

/** The end of a wrapping whose beginning was left out; no line of a patch is one of these words without a sign. */
function withoutEnd(lines: string[], last: number): readonly string[] {
  if (/^(?:EOF|PATCH|`{3,}|~{3,})$/.test(endWord(lines[last]!))) lines[last] = ""
  return lines
}

/** Tabs may be before the end of a here-document; a blank there makes a line one of the patch. */
function endWord(line: string): string {
  return line.replace(/^\t+/, "").trimEnd()
}

function isFilled(line: string): boolean {
  return line.trim() !== ""
}
