import type { Isolation } from "./wall.js"

/** A command for a machine of its own. */
export interface BoxRequest {
  readonly command: string
  readonly image: string
  readonly timeoutMs: number
  /** Files to put into the machine, by path in the guest. */
  readonly files: Readonly<Record<string, string>>
  readonly keepBytes: number
  readonly signal: AbortSignal
  readonly onOutput?: (stream: "stdout" | "stderr", text: string) => void
}

/** The end of a command in a box. */
export interface BoxOutcome {
  readonly stdout: string
  readonly stderr: string
  readonly exitCode: number | null
  readonly timedOut: boolean
  readonly truncated: boolean
  readonly isolation: {
    readonly level: Isolation["level"] | "gvisor"
    readonly asked: string
    readonly backend: string
    readonly nestedIn: string
    readonly network: "none"
    readonly image: string
    readonly digest: string
    readonly os: string
    readonly snapshot: boolean
  }
  readonly bootMs: number
  readonly runMs: number
}

/** Machines for one command each. A missing machine or image is a refusal that lists what is there and the fix. */
export interface Box {
  run(request: BoxRequest): Promise<BoxOutcome>
}
