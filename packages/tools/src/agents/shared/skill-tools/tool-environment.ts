import { ToolError } from "@haft/contract"
import { plainText, type Values } from "./fill-template.js"

// Linux takes 128 KiB for one variable; everything is on standard input as well.
const maxBytes = 100_000

/** The arguments of a call as environment variables: `TOOL_ARGS` as JSON, and `TOOL_ARG_NAME` each. */
export function toolEnvironment(values: Values): Readonly<Record<string, string>> {
  const whole = JSON.stringify(values)
  if (new TextEncoder().encode(whole).length > maxBytes) {
    throw new ToolError(
      "too_large",
      `Cannot run the tool: its arguments have more than ${maxBytes} bytes; shorten them`,
    )
  }
  const environment: Record<string, string> = { TOOL_ARGS: whole }
  for (const [name, value] of Object.entries(values)) {
    const text = plainText(value)
    if (text.includes("\0")) {
      throw new ToolError("invalid_args", `Cannot run the tool: "${name}" holds a NUL character; leave that out`)
    }
    environment[`TOOL_ARG_${name.toUpperCase().replace(/[^A-Z0-9_]/g, "_")}`] = text
  }
  return environment
}
