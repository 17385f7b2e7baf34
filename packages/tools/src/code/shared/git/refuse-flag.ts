import { ToolError } from "@haft/contract"

/** The value itself, or `invalid_args` when git could take it for an option or it cannot be on a command line. */
export function refuseFlag(key: string, value: string): string {
  const shown = value.replaceAll("\0", "\\0")
  if (value.startsWith("-")) {
    throw new ToolError("invalid_args", `Cannot use "${shown}" as ${key}: it begins with "-"; leave the "-" out`)
  }
  if (/[\0\n\r]/.test(value) || value === "") {
    throw new ToolError(
      "invalid_args",
      `Cannot use "${shown}" as ${key}: it is empty or has a line break; name one thing`,
    )
  }
  return value
}
