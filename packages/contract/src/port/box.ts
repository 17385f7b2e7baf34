import type { StreamOrder } from "../envelope.js"
import type { CapturedStream } from "./commands.js"

/** How a box can be isolated, strongest first: a machine on the real processor, an emulated one, a container. */
export const boxLevels = ["vm", "vm-emulated", "container"] as const
export type BoxLevel = (typeof boxLevels)[number]

/** Levels of earlier versions, with why they are refused. */
export const removedBoxLevels: Readonly<Record<string, string>> = {
  gvisor: "it was removed, because it never ran an image",
  namespace: "it was removed, because it isolates less than bash",
}

/** A command for a machine of its own. */
export interface BoxRequest {
  readonly command: string
  /** An installed image; the host's own default where none is named. */
  readonly image?: string
  readonly timeoutMs: number
  /** Files to put into the machine, by path in the guest. */
  readonly files: Readonly<Record<string, string>>
  readonly keepBytes: number
  readonly signal: AbortSignal
  readonly onOutput?: (stream: "stdout" | "stderr", text: string) => void
}

/** The end of a command in a box. */
export interface BoxOutcome {
  readonly stdout: CapturedStream
  readonly stderr: CapturedStream
  /** In which order the streams were read; absent when all of stdout came first. */
  readonly order?: StreamOrder
  readonly exitCode: number | null
  readonly timedOut: boolean
  /** A file with the whole output, when it did not fit. */
  readonly outputPath?: string
  readonly isolation: {
    readonly level: BoxLevel
    readonly asked: string
    readonly backend: string
    readonly nestedIn: string
    /** `proxy`: the hosts that the user granted to commands, and no others. */
    readonly network: "none" | "proxy"
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
