import { randomBytes } from "node:crypto"
import { type CapturedOutput, type CollectOptions, collectOutput } from "@haft/host"
import { seedBlock } from "../guest/agent-script.js"
import { type ControlMessage, createControlReader } from "./control-reader.js"
import type { Machine } from "./start-machine.js"

/** How a command in a machine is run. */
export interface MachineRun extends CollectOptions {
  readonly restored: boolean
  /** How long the machine may take until the command starts. */
  readonly bootMs: number
  /** How long the command may take. */
  readonly timeoutMs: number
  readonly signal: AbortSignal
}

/** The end of a machine: with the command's end, or without it and why. */
export type MachineOutcome =
  | (CapturedOutput & {
      readonly type: "ran"
      /** A file with the whole output, when it did not fit. */
      readonly outputPath?: string
      /** Null when the time ran out. */
      readonly exitCode: number | null
      readonly bootMs: number
      readonly runMs: number
    })
  | { readonly type: "crashed"; readonly started: boolean; readonly reason: string; readonly words: string }
  | { readonly type: "aborted" }

/** Runs the command on the machine's second disk, and ends the machine whatever happens. */
export async function runMachine(machine: Machine, run: MachineRun): Promise<MachineOutcome> {
  const began = performance.now()
  const output = collectOutput(machine, run)
  let startedAt: number | undefined
  const finish = await conduct(machine, run, () => {
    startedAt = performance.now()
  })
  const finishedAt = performance.now()
  // Ends the machine and reads what it still had to say, so the texts below are whole.
  await machine.end()
  const outputPath = await output.sidecar.finish()
  if (finish.type === "aborted") return finish
  if (finish.type === "crashed" || startedAt === undefined) {
    const { words } = await machine.ended
    const reason = finish.type === "crashed" ? finish.reason : "the command did not start"
    return { type: "crashed", started: startedAt !== undefined, reason, words }
  }
  return {
    type: "ran",
    ...output.capture.finish(),
    ...(outputPath !== undefined && { outputPath }),
    exitCode: finish.type === "exit" ? finish.code : null,
    bootMs: Math.round(startedAt - began),
    runMs: Math.round(finishedAt - startedAt),
  }
}

type Finish =
  | { readonly type: "exit"; readonly code: number }
  | { readonly type: "timeout" }
  | { readonly type: "aborted" }
  | { readonly type: "crashed"; readonly reason: string }

/** Talks to the guest until the first thing that ends the run. */
function conduct(machine: Machine, run: MachineRun, onStarted: () => void): Promise<Finish> {
  const reader = createControlReader({ restored: run.restored })
  const nonce = randomBytes(16).toString("hex")
  return new Promise((resolve) => {
    let timer: NodeJS.Timeout
    const finish = (end: Finish): void => {
      clearTimeout(timer)
      run.signal.removeEventListener("abort", abort)
      machine.control.removeListener("data", read)
      resolve(end)
    }
    const abort = (): void => finish({ type: "aborted" })
    const allow = (ms: number, end: Finish): void => {
      clearTimeout(timer)
      timer = setTimeout(() => finish(end), ms)
    }
    const go = (): void => {
      reader.go(nonce)
      machine.control.write(goLine(nonce))
    }
    const hear = (message: ControlMessage): void => {
      if (message.type === "ready") go()
      if (message.type === "started") {
        onStarted()
        allow(run.timeoutMs, { type: "timeout" })
      }
      if (message.type === "exit") finish(message)
      if (message.type === "failed") finish({ type: "crashed", reason: `the guest failed to ${message.step}` })
      if (message.type === "violation")
        finish({ type: "crashed", reason: `the guest broke the protocol: ${message.reason}` })
    }
    const read = (bytes: Buffer): void => reader.push(bytes).forEach(hear)
    allow(run.bootMs, { type: "crashed", reason: `the guest did not start the command in ${run.bootMs} ms` })
    machine.control.on("data", read)
    machine.ended.then(() => finish({ type: "crashed", reason: "the machine ended without an exit code" }))
    run.signal.addEventListener("abort", abort)
    if (run.signal.aborted) abort()
    else if (run.restored) go()
  })
}

/** The clock and fresh random bytes for the guest: a snapshot has neither. */
function goLine(nonce: string): string {
  return `GO ${nonce} ${Buffer.from(seedBlock(Date.now(), randomBytes(32))).toString("hex")}\n`
}
