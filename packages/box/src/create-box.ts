import { type Box, type BoxOutcome, type CallScope, ToolError } from "@haft/contract"
import { cancelled, createSandboxNetwork, observeDecisions, type SandboxNetwork } from "@haft/host"
import type { BackendResult, BoxBackend } from "./backend/backend.js"
import { askedFor, chooseBackend } from "./backend/choose-backend.js"
import { type BoxOptions, type BoxSettings, boxSettings } from "./box-options.js"
import type { Image } from "./image/image.js"
import { openImage } from "./image/open-image.js"
import { checkFiles } from "./job/check-files.js"
import { boxCrashed } from "./refusal.js"

/** Where a session keeps output that does not fit into a result. */
export interface BoxPlace {
  readonly outputFolder: string
}

/** Boxes for the calls of a host: a machine for each command, gone when the command has ended. */
export function createBox(options: BoxOptions, { outputFolder }: BoxPlace): (call: CallScope) => Box {
  let slots: Slots | undefined
  return (call) => ({
    async run(request) {
      // Only now: a setting that cannot be understood stops boxes, and nothing else.
      const settings = boxSettings(options)
      slots ??= createSlots(settings.maxMachines)
      // The image first: without it nothing else is worth trying.
      const image = await openImage(settings.imagesFolder, request.image ?? settings.defaultImage)
      checkTimeout(request.timeoutMs, settings.maxTimeoutMs)
      const files = checkFiles(request.files)
      const backend = await chooseBackend(settings, image, request.signal)
      const sidecar = { folder: outputFolder, name: call.callId }
      const network = backend.level === "container" ? undefined : await openNetwork(settings, call)
      try {
        const job = { ...request, image, files, sidecar, network }
        const result = await slots.use(request.signal, () => backend.run(job))
        const facts = { image, backend, asked: askedFor(settings), signal: request.signal }
        return boxOutcome(result, { ...facts, network: network === undefined ? "none" : "proxy" })
      } finally {
        network?.close()
      }
    },
  })
}

/** The way to the hosts that the user granted to commands; undefined where none were. A container gets none (decision 044). */
async function openNetwork({ netGrants, proxy }: BoxSettings, call: CallScope): Promise<SandboxNetwork | undefined> {
  if (netGrants.length === 0) return undefined
  return createSandboxNetwork({
    hosts: [],
    netGrants,
    bundle: async () => undefined,
    ...(proxy && { proxy }),
    onDecision: observeDecisions(call),
  })
}

interface BoxFacts {
  readonly image: Image
  readonly backend: BoxBackend
  readonly asked: string
  readonly network: BoxOutcome["isolation"]["network"]
  readonly signal: AbortSignal
}

function boxOutcome(result: BackendResult, { image, backend, asked, signal, network }: BoxFacts): BoxOutcome {
  const { outcome } = result
  if (outcome.type === "aborted") throw cancelled(signal)
  if (outcome.type === "crashed") throw boxCrashed(outcome.reason, { words: outcome.words, ran: outcome.started })
  const { type: _, ...ran } = outcome
  return {
    ...ran,
    timedOut: outcome.exitCode === null,
    isolation: {
      level: backend.level,
      asked,
      backend: result.backend,
      nestedIn: result.nestedIn,
      network,
      image: image.name,
      digest: image.digest,
      os: image.os,
      snapshot: result.snapshot,
    },
  }
}

function checkTimeout(timeoutMs: number, maxTimeoutMs: number): void {
  if (Number.isSafeInteger(timeoutMs) && timeoutMs >= 1 && timeoutMs <= maxTimeoutMs) return
  throw new ToolError("invalid_args", `Cannot use timeout "${timeoutMs}": it must be from 1 to ${maxTimeoutMs} ms`, {
    details: { ok: false, reason: "BOX_TIMEOUT_REFUSED", ran: false },
  })
}

/** Lets a bounded number of machines run at once; the others wait in the order of their coming. */
export interface Slots {
  use<Result>(signal: AbortSignal, work: () => Promise<Result>): Promise<Result>
}

/** Slots for so many machines. */
export function createSlots(count: number): Slots {
  const waiting: (() => void)[] = []
  let free = count
  const leave = (): void => {
    const next = waiting.shift()
    if (next) next()
    else free += 1
  }
  const enter = (signal: AbortSignal): Promise<void> | undefined => {
    if (free > 0) {
      free -= 1
      return undefined
    }
    return new Promise((resolve, reject) => {
      const admit = (): void => {
        signal.removeEventListener("abort", give)
        resolve()
      }
      const give = (): void => {
        waiting.splice(waiting.indexOf(admit), 1)
        reject(cancelled(signal))
      }
      waiting.push(admit)
      signal.addEventListener("abort", give, { once: true })
    })
  }
  return {
    async use(signal, work) {
      if (signal.aborted) throw cancelled(signal)
      await enter(signal)
      try {
        return await work()
      } finally {
        leave()
      }
    },
  }
}
