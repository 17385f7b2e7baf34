import { toolFacts } from "../generated/tool-facts.js"
import type { SubjectKind } from "./pattern/pattern.js"

/** What the patterns of a permission are compared with; undefined for a tool whose subject is not known here. */
export function permissionKind(permission: string): SubjectKind | undefined {
  return kinds.get(permission) ?? toolFacts[permission]?.subjectKind
}

/** The kind that a pattern was most likely written for. */
export function likelyKind(permission: string, pattern: string): SubjectKind {
  const known = permissionKind(permission)
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
])

/** Whether what a permission names runs as a command: a request is written like one, and runs nothing. */
export function runsCommands(permission: string): boolean {
  return permission === "shell.run" || toolFacts[permission]?.runsCommands === true
}
