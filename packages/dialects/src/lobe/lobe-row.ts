import { type DialectTool, defineDialectTool, type ToolResult } from "@haft/contract"
import type * as z from "zod"
import { textOf } from "../shared/parts-of-result.js"
import { type LobeOutput, toResult } from "./to-result.js"
import { lobeName } from "./wire-name.js"

/** One API of a package; what it says goes through the one funnel. */
export interface LobeApi<Input extends z.ZodObject>
  extends Omit<DialectTool<Input>, "name" | "aliases" | "toValue" | "toAnswer"> {
  readonly api: string
  /** What faces draw. */
  readonly state: (result: ToolResult, input: z.infer<Input>) => unknown
  /** What the model reads; what our tool says by default. */
  readonly content?: (result: ToolResult, input: z.infer<Input>) => string
  /** An output that LobeHub counts as a failure; undefined for one that is none. */
  readonly failure?: (result: ToolResult, input: z.infer<Input>) => LobeOutput["error"]
}

/** The row of an API. Its permission key `identifier/apiName` is an alias. */
export function lobeRow<Input extends z.ZodObject>(
  identifier: string,
  { api, state, content, failure, ...row }: LobeApi<Input>,
): DialectTool<Input> {
  return defineDialectTool<Input>({
    ...row,
    name: lobeName(identifier, api),
    aliases: [`${identifier}/${api}`],
    toValue: (result, input) => {
      const error = failure?.(result, input)
      return toResult({
        success: error === undefined,
        content: content?.(result, input) ?? textOf(result),
        state: state(result, input),
        ...(error !== undefined && { error }),
      })
    },
  })
}
