import type { ToolResult } from "@haft/contract"
import { cleanOutput } from "@haft/tools/shell/shared/output/clean-output.js"
import { dataOf } from "../shared/parts-of-result.js"

/** The arguments of a command that its result speaks of. */
export interface CommandWish extends SandboxWish {
  readonly command: string
  readonly run_in_background?: boolean | undefined
}

interface CommandEnd {
  readonly stdout: string
  readonly stderr: string
  readonly exit_code: number | null
  readonly signal?: string
  readonly timed_out: boolean
  readonly isolation: IsolationFacts
}

/** The result of a command that ran to its end, or of one that goes on; fields that do not apply are null. */
export function commandValue(result: ToolResult, wish: CommandWish, timeoutMs: number) {
  if (wish.run_in_background) return startedValue(dataOf<{ readonly id: string }>(result).id, wish)
  const end = dataOf<CommandEnd>(result)
  const { timed_out, isolation } = end
  const [stdout, stderr] = [cleanOutput(end.stdout).text, cleanOutput(end.stderr).text]
  return {
    ...nothing,
    stdout: cutStream(stdout),
    stderr: cutStream(timed_out ? `${stderr}${lineBreak(stderr)}Command exceeded timeout of ${timeoutMs} ms` : stderr),
    interrupted: timed_out,
    dangerouslyDisableSandbox: disabledSandbox(wish, isolation),
    returnCodeInterpretation: interpretation(end, wish.command),
    noOutputExpected: stdout.trim() === "" && stderr.trim() === "",
    structuredContent: timed_out ? [timeoutRecord(wish.command, timeoutMs)] : null,
    persistedOutputPath: result.envelope.metadata?.output_path ?? null,
    sandboxStatus: sandboxStatus(wish, isolation),
  }
}

function startedValue(id: string, wish: CommandWish) {
  return {
    ...nothing,
    backgroundTaskId: id,
    backgroundedByUser: false,
    assistantAutoBackgrounded: false,
    // Where a job runs is the host's decision too, and nothing about it is known before it ends.
    dangerouslyDisableSandbox: wish.dangerouslyDisableSandbox === undefined ? null : false,
    noOutputExpected: true,
  }
}

/** Every field in its order, with the value of one that does not apply. */
const nothing = {
  stdout: "",
  stderr: "",
  rawOutputPath: null,
  interrupted: false,
  isImage: null,
  backgroundTaskId: null,
  backgroundedByUser: null,
  assistantAutoBackgrounded: null,
  dangerouslyDisableSandbox: null,
  returnCodeInterpretation: null,
  noOutputExpected: null,
  structuredContent: null,
  persistedOutputPath: null,
  persistedOutputSize: null,
  sandboxStatus: null,
}

function interpretation({ exit_code, signal, timed_out }: CommandEnd, command: string): string | null {
  if (timed_out) return isTest(command) ? "test.hung" : "timeout"
  if (exit_code === 0) return null
  // Null alone would look like success.
  return exit_code === null ? `signal:${signal ?? "unknown"}` : `exit_code:${exit_code}`
}

function timeoutRecord(command: string, timeoutMs: number) {
  const hung = isTest(command)
  return {
    event: hung ? "test.hung" : "command.timeout",
    failureClass: hung ? "test_hang" : "timeout",
    data: { command, timeoutMs, provenance: "bash.timeout", classification: hung ? "test.hung" : "timeout" },
  }
}

const testRunners = ["cargo test", "cargo nextest", "npm test", "pnpm test", "yarn test", "pytest"]

function isTest(command: string): boolean {
  const line = command.split(/\s+/).join(" ").toLowerCase()
  return testRunners.some((runner) => line.includes(runner))
}

function lineBreak(stderr: string): string {
  return stderr === "" || stderr.endsWith("\n") ? "" : "\n"
}

/** Bytes of each stream that a result keeps. */
const maxStreamBytes = 16_384

const encoder = new TextEncoder()

/** The beginning of a stream, cut between characters, with a notice when there was more. */
export function cutStream(stream: string): string {
  if (stream.length * 3 <= maxStreamBytes) return stream
  const bytes = encoder.encode(stream)
  if (bytes.length <= maxStreamBytes) return stream
  let end = maxStreamBytes
  while (end > 0 && (bytes[end]! & 0b1100_0000) === 0b1000_0000) end -= 1
  const head = new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes.subarray(0, end))
  return `${head}\n\n[output truncated — exceeded ${maxStreamBytes} bytes]`
}

/** What a call asks of the sandbox. */
interface SandboxWish {
  readonly dangerouslyDisableSandbox?: boolean | undefined
  readonly namespaceRestrictions?: boolean | undefined
  readonly isolateNetwork?: boolean | undefined
  readonly filesystemMode?: string | undefined
  readonly allowedMounts?: readonly string[] | undefined
}

/** What really confined a command, as our tools say it. */
interface IsolationFacts {
  readonly level: string
  readonly network: string
  readonly notes: readonly string[]
}

/** Whether the sandbox was off, for a call that speaks of it: a call cannot switch it off. */
function disabledSandbox({ dangerouslyDisableSandbox: asked }: SandboxWish, { level }: IsolationFacts): boolean | null {
  return asked === undefined ? null : level === "none"
}

const notSwitchedOff = "dangerouslyDisableSandbox was not followed: only the person can let a command run unconfined"

/**
 * Beside what was asked for, what held. The host decides about the sandbox and a call cannot loosen it, so the two may differ;
 * nothing is claimed that was not enforced.
 */
function sandboxStatus(wish: SandboxWish, { level, network, notes }: IsolationFacts) {
  const isConfined = level !== "none"
  const hasNamespaces = isConfined && level !== "profile"
  const refusal = isConfined && wish.dangerouslyDisableSandbox === true ? [notSwitchedOff] : []
  const reasons = isConfined ? [...refusal, ...notes] : ["the command ran outside the sandbox", ...notes]
  return {
    enabled: isConfined,
    requested: {
      enabled: wish.dangerouslyDisableSandbox !== true,
      namespace_restrictions: wish.namespaceRestrictions ?? true,
      network_isolation: wish.isolateNetwork ?? false,
      filesystem_mode: wish.filesystemMode ?? "workspace-only",
      allowed_mounts: wish.allowedMounts ?? [],
    },
    supported: isConfined,
    active: isConfined,
    namespace_supported: hasNamespaces,
    namespace_active: hasNamespaces,
    network_supported: isConfined,
    network_active: isConfined && network === "none",
    filesystem_mode: isConfined ? "workspace-only" : "off",
    filesystem_active: isConfined,
    allowed_mounts: [],
    in_container: level === "container",
    container_markers: [],
    fallback_reason: reasons.length === 0 ? null : reasons.join("; "),
  }
}
