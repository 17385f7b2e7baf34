import type { SubjectKind } from "./pattern/pattern.js"

/** What the patterns of a permission are compared with; undefined for a tool whose subject is not known here. */
export function permissionKind(permission: string): SubjectKind | undefined {
  return kinds.get(permission)
}

/** The kind that a pattern was most likely written for. */
export function likelyKind(permission: string, pattern: string): SubjectKind {
  const known = kinds.get(permission)
  if (known) return known
  if (pattern.startsWith("@")) return "host"
  if (/^[A-Za-z_][\w.-]*=/.test(pattern)) return "arguments"
  return /\s/.test(pattern) && !pattern.includes("/") ? "command" : "path"
}

const kinds: ReadonlyMap<string, SubjectKind> = new Map<string, SubjectKind>([
  ["fs.read", "path"],
  ["fs.write", "path"],
  ["fs.delete", "path"],
  ["net.fetch", "host"],
  ["shell.run", "command"],
  // A rule file is read before the catalogue is known, so the tools that take commands and addresses stand here.
  ["bash", "command"],
  ["exec", "command"],
  ["web_fetch", "host"],
  // Asked for by method and host: `POST api.example.org`.
  ["http_request", "command"],
])
