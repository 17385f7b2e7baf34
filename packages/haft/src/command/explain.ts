import { ToolError } from "@haft/contract"
import type { Explanation } from "@haft/runtime"
import { variablesFor } from "../config/variables.js"
import type { Haft } from "../library/create-haft.js"
import type { Session } from "../library/session.js"
import { ladderText } from "../terminal/ladder-text.js"
import { type Canvas, filePreviewLines, previewFacts } from "../terminal/preview-text.js"
import type { Style } from "../terminal/style.js"
import type { Run } from "./command.js"
import { exitCodes } from "./exit-code.js"
import type { Invocation } from "./invocation.js"
import type { Io } from "./io.js"
import { openHaft } from "./open-haft.js"
import { printValue } from "./print.js"
import type { Setup } from "./setup.js"
import { type SpokenTool, spokenTool } from "./spoken-tool.js"
import { knownTerminalSession } from "./terminal-session.js"
import { toolArguments } from "./tool-arguments.js"

/** `haft explain`: the ladder of a call; nothing runs, and the exit code is 0 whatever the verdict. */
export const run: Run = async (invocation, io) => {
  const [name, ...words] = invocation.operands
  const tool = await spokenTool(invocation, io, name!)
  const input = await toolArguments(tool, words, invocation.text("args"), io)
  const explained = await explainWords(invocation, io, tool, input)
  printValue(invocation, io, explained.explanation, explained.words)
  return exitCodes.ok
}

/** The ladder of a call, and the words for it. */
export async function explainWords(
  invocation: Invocation,
  io: Io,
  tool: SpokenTool,
  input: unknown,
): Promise<{ explanation: Explanation; words: (style: Style) => string }> {
  const { name, dialect } = tool
  const { haft, setup } = await openHaft(invocation, io, { touchesFiles: true, tool })
  try {
    const { session, isEarlier } = await sessionFor(invocation, io, { haft, setup })
    try {
      const explanation = await session.explain(name, input, { preview: true, ...(dialect ? { dialect } : {}) })
      const number = await remedyNumber(explanation, setup)
      return { explanation, words: (style) => wordsOf(explanation, { style, width: io.stdout.columns || 80 }, number) }
    } finally {
      await (isEarlier ? session.detach() : session.close())
    }
  } finally {
    await haft.close()
  }
}

/** An earlier session counts with its rules; nothing is recorded in any. */
async function sessionFor(
  invocation: Invocation,
  io: Io,
  { haft, setup }: { readonly haft: Haft; readonly setup: Setup },
): Promise<{ readonly session: Session; readonly isEarlier: boolean }> {
  const named = invocation.text("session")
  if (named !== undefined) return { session: await haft.openSession({ id: named }), isEarlier: true }
  const id = knownTerminalSession(invocation, io, setup)
  try {
    if (id !== undefined) return { session: await haft.openSession({ id }), isEarlier: true }
  } catch (error) {
    // In use by another process, or removed: then its rules are left out.
    if (!ToolError.is(error) || !["conflict", "not_found"].includes(error.code)) throw error
  }
  return { session: await haft.openSession(), isEarlier: false }
}

function wordsOf(explanation: Explanation, canvas: Canvas, remedySpecificity: number | undefined): string {
  const { preview, hosts } = explanation
  const { say } = canvas.style
  const facts = preview
    ? previewFacts(preview, canvas.style).flatMap(([label, texts]) => texts.map((text) => `  ${label}: ${text}`))
    : []
  const would = preview ? [...filePreviewLines(preview, canvas), ...facts] : []
  return [
    ladderText(explanation, canvas.style, remedySpecificity),
    ...(hosts === undefined
      ? []
      : ["", hosts.length > 0 ? say`Asks: ${hosts.join(", ")}` : say`Asks: no host, because nothing is configured`]),
    ...(would.length > 0 ? ["", say`Would do`, ...would] : []),
  ].join("\n")
}

/** How specific the rule would be that allows the call. */
async function remedyNumber({ ladder }: Explanation, setup: Setup): Promise<number | undefined> {
  if (!ladder.remedy) return undefined
  const { specificity } = await import("@haft/guard")
  return specificity({ ...ladder.remedy, source: { scope: "flag" } }, variablesFor(setup))
}
