import { isDeepStrictEqual } from "node:util"
import { type Content, type Example, type ToolDefinition, ToolError } from "@haft/contract"
import { type TemporaryWorkspace, temporaryWorkspace } from "./temporary-workspace.js"

/** How an example ended: with data and what the model reads, or with an error. */
export type ExampleEnd =
  | { readonly type: "output"; readonly data: Readonly<Record<string, unknown>>; readonly content: readonly Content[] }
  | { readonly type: "error"; readonly error: ToolError }

/** A context for the tool in this workspace, and what must be closed afterwards. */
export interface OpenedContext {
  readonly context: unknown
  close?(): Promise<void>
}

/** Runs an example in a workspace of its own and throws when it ends otherwise than it says. */
export async function runExample(
  tool: ToolDefinition,
  example: Example,
  makeContext: (workspace: TemporaryWorkspace) => OpenedContext | Promise<OpenedContext>,
): Promise<ExampleEnd> {
  const workspace = await temporaryWorkspace(example.files)
  try {
    const opened = await makeContext(workspace)
    try {
      const end = await run(tool, example, opened.context)
      const problems = [...endProblems(example, end), ...(await afterProblems(example, workspace))]
      if (problems.length > 0) throw new Error(`${tool.manifest.id}, "${example.name}": ${problems.join("; ")}`)
      return end
    } finally {
      await opened.close?.()
    }
  } finally {
    await workspace.remove()
  }
}

async function run(tool: ToolDefinition, example: Example, context: unknown): Promise<ExampleEnd> {
  const { execute } = await tool.execute()
  const input = tool.manifest.input.parse(example.input)
  try {
    const data = tool.manifest.output.parse(await execute(input, context as never))
    return { type: "output", data, content: tool.present(data, input) }
  } catch (error) {
    if (ToolError.is(error)) return { type: "error", error }
    throw error
  }
}

function endProblems(example: Example, end: ExampleEnd): readonly string[] {
  if (end.type === "error") {
    return end.error.code === example.fails ? [] : [`it failed with ${end.error.code}: ${end.error.message}`]
  }
  if (example.fails !== undefined) return [`it should have failed with ${example.fails}`]
  const text = end.content.map((part) => (part.type === "text" ? part.text : part.mediaType)).join("")
  const missing = Object.entries(example.output ?? {}).filter(
    ([key, value]) => !isDeepStrictEqual(end.data[key], value),
  )
  return [
    ...missing.map(([key, value]) => `${key} is ${JSON.stringify(end.data[key])} instead of ${JSON.stringify(value)}`),
    ...(text === "" ? ["what the model reads is empty"] : []),
  ]
}

async function afterProblems(example: Example, workspace: TemporaryWorkspace): Promise<readonly string[]> {
  const problems: string[] = []
  for (const [path, wanted] of Object.entries(example.after ?? {})) {
    const found = await workspace.readText(path)
    if (found !== wanted) problems.push(`"${path}" holds ${JSON.stringify(found)} instead of ${JSON.stringify(wanted)}`)
  }
  return problems
}
