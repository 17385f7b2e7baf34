import {
  type AnyDialectTool,
  type Dialect,
  type Projection,
  type ToolDefinition,
  ToolError,
  type ToolResult,
  text,
} from "@haft/contract"
import { createRegistry, rowNamed } from "@haft/runtime"
import type { TestCallOptions } from "@haft/testkit"
import { resolve } from "../../runtime/src/call/call-request.js"
import type { ToolBench } from "../../tools/test/tool-bench.js"

/** What a call in another system's words came to. */
export interface DialectEnd extends Projection {
  readonly result: ToolResult
}

/** Makes calls in the words of a dialect: the row's schema, the real tools on the bench, the dialect's projection. */
export function speak(dialect: Dialect, tools: readonly ToolDefinition[], bench: () => Pick<ToolBench, "run">) {
  const registry = createRegistry(tools)
  return async (name: string, input: unknown, options?: TestCallOptions): Promise<DialectEnd> => {
    const row = rowNamed(dialect, name)
    const result = await settle(async () => {
      const call = resolve({ name, arguments: input, dialect }, registry)
      const valid = call.tool.manifest.input.safeParse(call.arguments)
      if (!valid.success) throw new ToolError("invalid_args", valid.error.message)
      const run = await bench().run(call.tool, valid.data, options)
      return output(run.data, { content: run.content, state: run.state() })
    })
    return { ...dialect.project(result, row, row.input.safeParse(input).data ?? input), result }
  }
}

/** What a row asks our tools for. */
export function dialectCallOf({ tool, toArguments }: AnyDialectTool, input: unknown) {
  return { tool: typeof tool === "string" ? tool : tool(input), arguments: toArguments(input) }
}

/** The result of a call that gave an output. */
export function output(data: unknown, rest: Partial<ToolResult> & { readonly metadata?: object } = {}): ToolResult {
  const { metadata, ...parts } = rest
  return {
    envelope: { type: "output", data, metadata: { ...facts, ...metadata } },
    content: [text("what the model reads")],
    attachments: [],
    ...parts,
  }
}

/** The result of a call that failed. */
export function failed(error: ToolError): ToolResult {
  const { code, hint, message } = error
  return {
    envelope: {
      type: "error",
      error_text: message,
      metadata: { ...facts, error_code: code, ...(hint !== undefined && { hint }) },
    },
    content: [text(message)],
    attachments: [],
  }
}

const facts = { duration_ms: 12, call_id: "call_test", session_id: "session_test" }

async function settle(work: () => Promise<ToolResult>): Promise<ToolResult> {
  try {
    return await work()
  } catch (error) {
    if (ToolError.is(error)) return failed(error)
    throw error
  }
}
