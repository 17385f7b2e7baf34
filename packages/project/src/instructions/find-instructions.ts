import { fitInstructions, type InstructionFile } from "./fit-instructions.js"
import { type InstructionsRequest, instructionPlaces } from "./instruction-places.js"
import { readWithin } from "./read-within.js"

/** The instructions of a person and a project. */
export interface Instructions {
  /** Outermost first, nearest last. */
  readonly files: readonly InstructionFile[]
  /** All of them for a system prompt; empty when there are none. */
  readonly text: string
  readonly warnings: readonly string[]
}

// Far more than is ever used, so that the cap and not this decides.
const maxFileBytes = 1_000_000

/** Finds AGENTS.md, CLAUDE.md and CONTEXT.md of the user and of the project. What cannot be read is left out, and said. */
export async function findInstructions(request: InstructionsRequest): Promise<Instructions> {
  const { maxTokens = 8000 } = request
  const warnings: string[] = []
  const found: { readonly path: string; readonly text: string }[] = []
  const known = new Set<string>()
  for (const { path, within } of await instructionPlaces(request)) {
    try {
      const file = await readWithin(path, within, { maxBytes: maxFileBytes, accepts: isMarkdown })
      const text = file?.text.replace(/^\uFEFF/, "").trim() ?? ""
      // One file under two names, linked or copied, is said once.
      if (!file || text === "" || known.has(file.realPath) || known.has(`=${text}`)) continue
      known.add(file.realPath).add(`=${text}`)
      found.push({ path, text })
    } catch (error) {
      warnings.push(`${path} is left out: ${(error as Error).message}`)
    }
  }
  const fitted = fitInstructions(found, maxTokens)
  return {
    files: fitted.files,
    text: fitted.files.map(marked).join("\n\n"),
    warnings: [...warnings, ...fitted.warnings],
  }
}

/** A link under one of the names may point to any file, for instance to one with secrets. */
function isMarkdown(realPath: string): boolean {
  return /\.(?:md|mdc|markdown)$/i.test(realPath)
}

/** The text between marks, so that it can be distinguished from everything else in the prompt. */
function marked({ path, text, truncated }: InstructionFile): string {
  const inside = text.replace(/<(\/?)(instructions)/gi, "&lt;$1$2")
  const rest = truncated ? "\n[The rest is left out]" : ""
  return `<instructions path="${path.replaceAll('"', "&quot;")}">\n${inside}${rest}\n</instructions>`
}
