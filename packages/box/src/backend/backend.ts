import type { BoxLevel } from "@haft/contract"
import type { CollectOptions, SandboxNetwork } from "@haft/host"
import type { Image } from "../image/image.js"
import type { GuestFile } from "../job/check-files.js"
import type { MachineOutcome } from "../machine/run-machine.js"
import type { BoxProbe } from "../refusal.js"

/** One command for one box. */
export interface BoxJob extends CollectOptions {
  readonly image: Image
  readonly command: string
  readonly files: readonly GuestFile[]
  readonly timeoutMs: number
  /** The way to the hosts that were granted. */
  readonly network?: Pick<SandboxNetwork, "variables" | "attach"> | undefined
  readonly signal: AbortSignal
}

/** The end of a job with what ran it. */
export interface BackendResult {
  readonly outcome: MachineOutcome
  /** Name and version, for instance `qemu-tcg 7.2.22`. */
  readonly backend: string
  /** The sandbox around the backend itself. */
  readonly nestedIn: string
  readonly snapshot: boolean
}

/** A way to isolate commands. */
export interface BoxBackend {
  readonly name: string
  readonly level: BoxLevel
  /** Tries it for real; what is stable is remembered. Given up, it ends what it started and throws. */
  probe(image: Image, signal: AbortSignal): Promise<BoxProbe>
  /** Runs one job; nothing of it is left afterwards. */
  run(job: BoxJob): Promise<BackendResult>
}
