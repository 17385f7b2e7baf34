/** Lines of a file of `make` that belong together. */
export interface Block {
  /** Empty for lines outside of targets. */
  readonly targets: readonly string[]
  readonly lines: string[]
}

/** Takes such a file apart as `make` does; a line that goes on behind a backslash is one. */
export function blocksOf(text: string): readonly Block[] {
  const blocks: Block[] = []
  let inDefinition = false
  for (const line of wholeLines(text)) {
    const last = blocks.at(-1)
    const plain = line.replace(/\\\n\s*/g, " ")
    const targets = inDefinition ? undefined : targetsIn(plain)
    if (/^ *(?:override +)?define\b/.test(plain)) inDefinition = true
    if (targets) blocks.push({ targets, lines: [line] })
    else if (last && (last.targets.length === 0 || (!inDefinition && isBody.test(plain)))) last.lines.push(line)
    else blocks.push({ targets: [], lines: [line] })
    if (/^ *endef\b/.test(plain)) inDefinition = false
  }
  return blocks
}

/** The lines of a file, each with those that it goes on in. */
export function wholeLines(text: string): readonly string[] {
  const lines: string[] = []
  let open: string[] = []
  for (const line of text.split(/\r?\n/)) {
    open.push(line)
    if (goesOn(line)) continue
    lines.push(open.join("\n"))
    open = []
  }
  return open.length > 0 ? [...lines, open.join("\n")] : lines
}

function goesOn(line: string): boolean {
  let backslashes = 0
  while (line[line.length - 1 - backslashes] === "\\") backslashes++
  return backslashes % 2 === 1
}

// In `make` only a tab makes a line part of a recipe: a rule or a variable may be indented with blanks.
const isBody = /^\t|^ *(?:#|$)/

function targetsIn(line: string): readonly string[] | undefined {
  if (line.startsWith("\t")) return undefined
  const text = line.trimStart()
  const colon = text.search(/[:=#]/)
  if (colon <= 0 || text[colon] !== ":" || /^:{0,2}=/.test(text.slice(colon + 1))) return undefined
  return text.slice(0, colon).replace(/&$/, "").trim().split(/\s+/)
}
