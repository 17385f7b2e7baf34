/** A file that differs from the last commit, or is new. */
export interface StatusEntry {
  readonly path: string
  /** Two letters as `git status --short` shows them: index, then work tree. */
  readonly state: string
  /** The former name of a renamed or copied file. */
  readonly from?: string
}

/** A repository as `git status` sees it. */
export interface StatusReport {
  readonly branch: string | null
  readonly commit: string | null
  readonly upstream?: string
  readonly ahead?: number
  readonly behind?: number
  readonly entries: readonly StatusEntry[]
}

/** Reads the output of `git status --porcelain=v2 --branch -z`. */
export function parseStatus(output: string): StatusReport {
  const lines = output.split("\0")
  const headers = new Map<string, string>()
  const entries: StatusEntry[] = []
  for (let index = 0; index < lines.length; index++) {
    const line = lines[index]!
    const header = /^# (\S+) (.*)$/s.exec(line)
    if (header) headers.set(header[1]!, header[2]!)
    else if (line.startsWith("2 ")) entries.push(renamed(line, lines[++index] ?? ""))
    else if (line !== "") entries.push(entryOf(line))
  }
  return { ...places(headers), entries }
}

function entryOf(line: string): StatusEntry {
  if (line.startsWith("? ")) return { path: line.slice(2), state: "??" }
  // Fields before the path: eight of a changed file, ten of a conflict.
  const path = afterFields(line, line.startsWith("u ") ? 10 : 8)
  return { path, state: stateOf(line) }
}

function renamed(line: string, from: string): StatusEntry {
  return { path: afterFields(line, 9), state: stateOf(line), from }
}

function stateOf(line: string): string {
  return line.slice(2, 4).replaceAll(".", " ")
}

function afterFields(line: string, count: number): string {
  let start = 0
  for (let field = 0; field < count; field++) start = line.indexOf(" ", start) + 1
  return line.slice(start)
}

function places(headers: ReadonlyMap<string, string>): Omit<StatusReport, "entries"> {
  const head = headers.get("branch.head") ?? null
  const commit = headers.get("branch.oid") ?? null
  const upstream = headers.get("branch.upstream")
  const distance = /^\+(\d+) -(\d+)$/.exec(headers.get("branch.ab") ?? "")
  return {
    branch: head === "(detached)" ? null : head,
    commit: commit === "(initial)" ? null : commit,
    ...(upstream !== undefined && { upstream }),
    ...(distance && { ahead: Number(distance[1]), behind: Number(distance[2]) }),
  }
}
