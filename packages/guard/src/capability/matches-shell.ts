import type { ArgumentPattern, ShellRequirement } from "@haft/contract"

/**
 * Whether a command is one that the requirements name. The program is compared as it is written, `*` stands for any;
 * without `args` any arguments fit, with them each argument must fit its pattern in order and none may be left over.
 */
export function matchesShell(requirements: readonly ShellRequirement[], argv: readonly string[]): boolean {
  const [program, ...given] = argv
  return requirements.some(({ cmd, args }) => {
    if (cmd !== "*" && cmd !== program) return false
    if (args === undefined) return true
    return args.length === given.length && args.every((pattern, index) => fits(pattern, given[index]!))
  })
}

function fits(pattern: ArgumentPattern, argument: string): boolean {
  if (typeof pattern === "string") return pattern === argument
  return "prefix" in pattern ? argument.startsWith(pattern.prefix) : true
}
