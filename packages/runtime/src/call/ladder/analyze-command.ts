import { bestEffort, isWindowsPath, type NamedCommand } from "@haft/contract"
import {
  analyzeArgv,
  analyzeBash,
  analyzePowerShell,
  type CommandAnalysis,
  isWriteFree,
  joinPath,
  type ModeOutcome,
  needsWorker,
  opaquePart,
  runsUnconfined,
} from "@haft/guard"
import type { CallSession } from "../../session/call-session.js"
import type { EvaluateRequest } from "./evaluated.js"

// A parser can take very long on hostile text: what is not read by then is judged as unknown. The start of a worker is in it.
const workerMs = 200

/** What the command of a call would do. Any text gives a result, in bounded time and with the event loop free. */
export async function analyzeCommand(command: NamedCommand, session: CallSession): Promise<CommandAnalysis> {
  const { directory, variables } = session
  const place = { directory, home: variables.home, roots: variables.workspace }
  switch (command.kind) {
    case "bash":
      // There PowerShell runs such a line, and what is judged is what runs.
      if (isWindowsPath(directory)) return analyzePowerShell(command.text)
      if (!needsWorker(command.text)) return analyzeBash(command.text, place)
      return (await analyzeApart(command.text, place, session)) ?? opaqueAnalysis(command.text, directory)
    case "argv":
      return analyzeArgv(command.argv, { ...place, directory: folderIn(directory, command.directory) })
    case "powershell":
      return analyzePowerShell(command.text)
    case "opaque":
      return opaqueAnalysis(command.label, directory)
  }
}

function folderIn(directory: string, asked: string | undefined): string {
  if (asked === undefined) return directory
  return isWindowsPath(directory) ? asked : joinPath(directory, asked)
}

interface Place {
  readonly directory: string
  readonly home: string
  readonly roots: readonly string[]
}

async function analyzeApart(text: string, place: Place, { ports }: CallSession): Promise<CommandAnalysis | undefined> {
  const bounds = { signal: neverAborted, timeoutMs: workerMs }
  const analysis = ports.compute.analyzeBash?.(text, place, bounds)
  const reason = "late, out of memory or without a worker: a line about which nothing is known counts as opaque"
  return analysis && ((await bestEffort(reason, analysis)) as CommandAnalysis | undefined)
}

const neverAborted = new AbortController().signal

/** A command that nothing is known about: it asks, and runs in the sandbox that the answer gives. */
function opaqueAnalysis(text: string, directory: string): CommandAnalysis {
  return { text, parts: [opaquePart(text, directory, "its text is not looked into")], parsed: false }
}

/** Why a person is asked about a command although rules allow it, where no rule settles that. */
export async function firmReasons(
  request: EvaluateRequest,
  analysis: CommandAnalysis,
  verdict: ModeOutcome["verdict"],
): Promise<readonly string[]> {
  const outside = isOutside(request, analysis) ? [outsideReason] : []
  if (request.approved) return outside
  const unmasked = verdict === "allow" ? await unmaskedReasons(request, analysis) : []
  return [...outside, ...(await printableReasons(request, analysis)), ...unmasked]
}

/** Whether the user's configuration lets this command run outside the sandbox. */
export function isOutside({ session }: EvaluateRequest, analysis: CommandAnalysis | undefined): boolean {
  return analysis !== undefined && session.mode !== "plan" && runsUnconfined(analysis, session.unconfined)
}

// First in the list, and asked every time: no rule can settle it.
const outsideReason = "outside the sandbox: your configuration lists this command as unconfined"

async function unmaskedReasons({ session, world }: EvaluateRequest, analysis: CommandAnalysis) {
  if (!session.confines) return []
  const { unmasked } = await world.workspace(session.mode !== "plan" && !isWriteFree(analysis))
  return unmasked.length === 0 ? [] : [`the sandbox cannot hide every denied file: ${unmasked.join("; ")}`]
}

async function printableReasons({ world }: EvaluateRequest, analysis: CommandAnalysis) {
  const name = await world.printableSecret(analysis)
  return name === undefined ? [] : [`it can print ${name} from what git keeps, and rules deny reading that`]
}
