import { isDangerousVariable } from "./dangerous-variable.js"
import type { Walk } from "./walk.js"

/** The shell sets a variable without an assignment, as `for name in ...` and `{name}> file` do. */
export function setByShell(walk: Walk, name: string): void {
  if (!/^\w+$/.test(name)) walk.trouble ??= `bash evaluates the name "${name}"`
  if (isDangerousVariable(name)) walk.trouble ??= `the variable ${name} decides what programs do`
}
