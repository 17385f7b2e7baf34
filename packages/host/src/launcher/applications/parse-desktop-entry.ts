/** An application as its desktop file names it. */
export interface DesktopEntry {
  readonly name: string
  /** The names in other languages that people may type. */
  readonly otherNames: readonly string[]
  /** False when the file says that no menu should list it. */
  readonly shown: boolean
}

/** Reads the text of a `.desktop` file; undefined when it describes no application. */
export function parseDesktopEntry(text: string): DesktopEntry | undefined {
  const values = mainGroup(text)
  const name = readable(values.get("Name"))
  if (values.get("Type") !== "Application" || name === undefined) return undefined
  const names = ["Name[zh_CN]", "Name[zh]", "GenericName"].map((key) => readable(values.get(key)))
  return {
    name,
    otherNames: [...new Set(names)].filter((other) => other !== undefined && other !== name) as string[],
    shown: values.get("NoDisplay") !== "true" && values.get("Hidden") !== "true",
  }
}

/** The keys of the group that describes the application itself; later groups describe single actions. */
function mainGroup(text: string): ReadonlyMap<string, string> {
  const values = new Map<string, string>()
  let inGroup = false
  for (const line of text.replace(/^\ufeff/, "").split(/\r?\n/)) {
    if (line.startsWith("[")) {
      if (inGroup) break
      inGroup = line.trim() === "[Desktop Entry]"
      continue
    }
    const at = line.indexOf("=")
    if (!inGroup || line.startsWith("#") || at < 0) continue
    const key = line.slice(0, at).trim()
    if (!values.has(key)) values.set(key, line.slice(at + 1).trim())
  }
  return values
}

/** A value as people read it, on one line. */
function readable(value: string | undefined): string | undefined {
  const text = value
    ?.replace(/\\([sntr\\])/g, (_, letter: string) => (letter === "\\" ? "\\" : " "))
    .replace(/\p{Cc}+/gu, " ")
    .trim()
    .slice(0, maxNameLength)
  return text === "" ? undefined : text
}

const maxNameLength = 200
