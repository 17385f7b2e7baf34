/** The last name of a path, also of one from Windows. */
export function baseName(path: string): string {
  return (
    path
      .replace(/[/\\]+$/, "")
      .split(/[/\\]/)
      .at(-1) ?? path
  )
}

/** What is before the last name, with its slash; empty when there is nothing. */
export function folderOf(path: string): string {
  const trimmed = path.replace(/[/\\]+$/, "")
  return trimmed.slice(0, trimmed.length - baseName(trimmed).length)
}

/** The ending of a name without its dot, in lower case; empty when it has none. */
export function extensionOf(path: string): string {
  return /[^.]\.([^.]+)$/.exec(baseName(path))?.[1]?.toLowerCase() ?? ""
}
