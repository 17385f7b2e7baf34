import type { ForeignSubject, Matcher } from "../shared/permissions/translate/matcher.js"

/** How LobeHub compares one argument. */
export type LobeMatcher =
  | string
  | { readonly pattern: string; readonly type: "exact" | "prefix" | "wildcard" | "regex" }

/** The same comparison, as one or more of ours: each of them alone is enough. */
export function lobeMatcher(matcher: LobeMatcher): readonly Matcher[] {
  if (typeof matcher === "string") return ofText(matcher)
  switch (matcher.type) {
    case "exact":
      return [{ how: "exact", text: matcher.pattern }]
    case "prefix":
      return [{ how: "prefix", text: matcher.pattern }]
    case "wildcard":
      return [glob(matcher.pattern)]
    case "regex":
      return [ofRegex(matcher.pattern)]
  }
}

/** What an argument of this name is. */
export function lobeSubject(name: string): ForeignSubject {
  if (name === "command") return "command"
  if (name === "path" || name === "file_path") return "path"
  return name === "url" ? "url" : "other"
}

/** The argument of an API that our rules see as its subject. */
export interface LobeArgument {
  readonly name: string
  /** A call may come without it. */
  readonly optional?: true
}

const argumentOfApi: Readonly<Record<string, LobeArgument>> = {
  runCommand: { name: "command" },
  listLocalFiles: { name: "path" },
  readLocalFile: { name: "path" },
  writeLocalFile: { name: "path" },
  renameLocalFile: { name: "path" },
  grepContent: { name: "path", optional: true },
  globLocalFiles: { name: "path", optional: true },
  editLocalFile: { name: "file_path" },
  crawlSinglePage: { name: "url" },
}

/** That argument; undefined for an API that has none. */
export function lobeArgument(name: string): LobeArgument | undefined {
  const api = name.split(/____|\//)[1] ?? ""
  return Object.hasOwn(argumentOfApi, api) ? argumentOfApi[api] : undefined
}

/** `git add:*` means `git add`, with anything behind it as further words. */
function ofText(text: string): readonly Matcher[] {
  if (!text.endsWith(":*")) return [glob(text)]
  const beginning = text.slice(0, -2)
  return [
    { how: "exact", text: beginning },
    { how: "prefix", text: `${beginning} ` },
    { how: "prefix", text: `${beginning}:` },
  ]
}

function glob(text: string): Matcher {
  if (/^\*+$/.test(text)) return { how: "any" }
  return /[*?]/.test(text) ? { how: "glob", text, crosses: true } : { how: "exact", text }
}

/** Only a literal between anchors or behind one can be said without a regular expression. */
function ofRegex(pattern: string): Matcher {
  const found = /^\^((?:[\w /:@%,~=-]|\\[^\w])*)(\$?)$/.exec(pattern)
  if (!found) return { how: "unknown", text: pattern }
  const text = found[1]!.replace(/\\(.)/g, "$1")
  return found[2] === "$" ? { how: "exact", text } : { how: "prefix", text }
}
