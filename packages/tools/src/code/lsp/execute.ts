import { type Execute, type InputOf, ToolError } from "@haft/contract"
import type { manifest } from "./manifest.js"

/** Checks that the question is whole, and asks. */
export const execute: Execute<typeof manifest> = async (input, { languages, signal }) => {
  assertWhole(input)
  const { action, file_path: path, line, character, query } = input
  const answer = await languages.ask({
    action,
    ...(path !== undefined && { path }),
    ...(line !== undefined && { line }),
    ...(character !== undefined && { character }),
    ...(query !== undefined && { query }),
    signal,
  })
  return {
    items: answer.items.map((item) => ({ ...item })),
    ...(answer.text !== undefined && { text: answer.text }),
    server: answer.server,
    fresh: answer.fresh,
    ...(answer.denied !== undefined && answer.denied > 0 && { skipped: { denied: answer.denied } }),
  }
}

function assertWhole({ action, file_path, line, character, query }: InputOf<typeof manifest>): void {
  if (file_path === undefined && action === "symbols" && query !== undefined) return
  if (file_path === undefined) {
    const next = action === "symbols" ? "give it, or query for the whole workspace" : "name the file"
    throw new ToolError("invalid_args", `Cannot ask for ${action}: file_path is missing; ${next}`)
  }
  if (action === "symbols" || action === "diagnostics") return
  if (query === undefined && (line === undefined || character === undefined)) {
    throw new ToolError(
      "invalid_args",
      `Cannot ask for ${action} in "${file_path}": the place is missing; give line and character, or line and query with the name`,
    )
  }
}
