import { existsSync } from "node:fs"
import { ToolError } from "@haft/contract"

/** The path of the ripgrep program that came with this package. */
export async function locateRipgrep(): Promise<string> {
  try {
    // Loaded late: the package looks for its binary on import and throws when the platform has none.
    const { rgPath } = await import("@vscode/ripgrep")
    if (existsSync(rgPath)) return rgPath
    throw new Error(`"${rgPath}" does not exist`)
  } catch (cause) {
    throw ripgrepMissing(cause)
  }
}

/** Says that ripgrep is not there and how to get it. */
export function ripgrepMissing(cause: unknown): ToolError {
  const platform = `${process.platform}-${process.arch}`
  return new ToolError("not_configured", `Cannot search: ripgrep for "${platform}" is not installed`, {
    fix: `Install it with: npm install @vscode/ripgrep-${platform} (and do not pass --omit=optional)`,
    cause,
  })
}
