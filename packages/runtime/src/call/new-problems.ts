import { type Content, type LanguageItem, type SandboxedCall, type ToolDefinition, text } from "@haft/contract"
import type { CallSession } from "../session/call-session.js"
import type { SideOutputs } from "./context.js"

/**
 * What a language server that is already running finds wrong in the files that an edit wrote, and did not find before.
 * Never waits long and never fails: without an answer there is nothing to say.
 */
export function newProblems(
  { manifest }: ToolDefinition,
  session: CallSession,
  scope: SandboxedCall,
  sideOutputs: SideOutputs,
): readonly LanguageItem[] | Promise<readonly LanguageItem[]> {
  return manifest.kind === "edit" ? problemsAfter(session, scope, sideOutputs) : []
}

async function problemsAfter(
  session: CallSession,
  scope: SandboxedCall,
  sideOutputs: SideOutputs,
): Promise<readonly LanguageItem[]> {
  const written = sideOutputs.effects.flatMap((effect) => (effect.kind === "fs.write" ? [effect.path] : []))
  const servers = session.ports.languages(scope)
  const answers = await Promise.all(written.map((path) => servers.afterWrite(path)))
  return answers.flatMap((items) => items ?? [])
}

/** The problems as a model reads them. */
export function problemText(problems: readonly LanguageItem[]): Content {
  const lines = problems.map(({ path, line, character, severity, text: words }) => {
    return `${path}:${line}:${character}: ${severity ?? "problem"}: ${words}`
  })
  return text(`New problems found by the language server:\n${lines.join("\n")}`)
}
