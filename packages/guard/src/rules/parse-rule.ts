import { type Action, type Rule, ToolError } from "@haft/contract"

/** Reads a rule as flags write it: `permission` or `permission(pattern)`. */
export function parseRule(text: string, action: Action): Rule {
  const trimmed = text.trim()
  const open = trimmed.indexOf("(")
  const permission = open < 0 ? trimmed : trimmed.slice(0, open).trimEnd()
  if (!/^(\*|[A-Za-z][\w.:-]*)$/.test(permission)) throw badRule(text, permissionProblem(permission))
  if (open < 0) return { permission, action }
  if (!trimmed.endsWith(")")) throw badRule(text, 'the parenthesis is not closed; end it with ")"')
  // From the first to the last parenthesis: names of files may hold some of their own.
  const pattern = trimmed.slice(open + 1, -1)
  if (pattern.trim() === "") throw badRule(text, `the pattern is empty; write "${permission}" alone to mean every call`)
  return { permission, pattern, action }
}

function permissionProblem(permission: string): string {
  const expected = "a tool id, a capability such as fs.read, or *"
  if (permission === "") return `it names no permission; start with ${expected}`
  const [name, ...rest] = permission.split(/[\s:]+/)
  if (rest.length > 0 && name) return `expected one permission; write "${name}(${rest.join(" ")})"`
  return `"${permission}" is no permission; write ${expected}`
}

function badRule(text: string, reason: string): ToolError {
  return new ToolError("invalid_args", `Cannot read the rule "${text}": ${reason}`, {
    hint: "A rule looks like fs.read(src/**), bash(git push *) or todo",
  })
}
