import { type Execute, ToolError } from "@haft/contract"
import { evaluate } from "./evaluate.js"
import type { manifest } from "./index.js"
import { shown } from "./value.js"

/** Gives a scalar; a tuple, nothing at all and a float that JSON cannot carry are `invalid_args`. */
export const execute: Execute<typeof manifest> = async ({ expression }) => {
  const value = evaluate(expression)
  switch (value.type) {
    case "string":
    case "boolean":
      return { result: value.value, type: value.type }
    case "int": {
      const number = Number(value.value)
      return { result: Number.isSafeInteger(number) ? number : String(value.value), type: "int" }
    }
    case "float":
      if (Number.isFinite(value.value)) return { result: value.value, type: "float" }
      throw refused(`the result is ${shown(value)}, which is no number`)
    case "tuple":
      throw refused("the result is a tuple; ask for one value")
    case "empty":
      throw refused("it has no result; end it with the value that is wanted")
  }
}

function refused(reason: string): ToolError {
  return new ToolError("invalid_args", `Cannot calculate: ${reason}`)
}
