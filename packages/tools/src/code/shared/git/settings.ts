/** One setting of a repository as git reads it. */
export interface Setting {
  /** Where it comes from: `local`, `worktree`, `command`, `global` or `system`. */
  readonly scope: string
  /** Section and name in lower case, what is between them as it is written. */
  readonly key: string
  readonly value: string
}

/** Reads the output of `git config --list -z --show-scope`. */
export function parseSettings(output: string): readonly Setting[] {
  const fields = output.split("\0")
  const settings: Setting[] = []
  for (let index = 0; index + 1 < fields.length; index += 2) {
    const entry = fields[index + 1]!
    const end = entry.indexOf("\n")
    // A name without a value means that it is true.
    const [key, value] = end < 0 ? [entry, "true"] : [entry.slice(0, end), entry.slice(end + 1)]
    settings.push({ scope: fields[index]!, key, value })
  }
  return settings
}

/** A key of three parts: `remote.origin.url` is section `remote`, subject `origin`, name `url`. */
export function splitKey(key: string): { section: string; subject: string; name: string } | undefined {
  const found = /^([^.]+)\.(.+)\.([^.]+)$/s.exec(key)
  return found ? { section: found[1]!, subject: found[2]!, name: found[3]! } : undefined
}
