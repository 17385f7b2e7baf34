import { createControlReader } from "./control-reader.js"
import type { Machine } from "./start-machine.js"

/** How long a machine is waited for. */
export interface ReadyOptions {
  readonly deadlineMs: number
  /** Ends the wait, not the machine. */
  readonly signal?: AbortSignal
}

/** Waits until the guest of a booting machine is ready; the result is why it did not become so, or undefined. */
export async function waitReady(machine: Machine, { deadlineMs, signal }: ReadyOptions): Promise<string | undefined> {
  const reader = createControlReader({ restored: false })
  let timer: NodeJS.Timeout | undefined
  let giveUp: () => void = () => undefined
  try {
    return await new Promise<string | undefined>((resolve) => {
      giveUp = () => resolve("it was given up")
      signal?.addEventListener("abort", giveUp)
      if (signal?.aborted) giveUp()
      timer = setTimeout(() => resolve(`guest did not reach READY in ${deadlineMs} ms`), deadlineMs)
      machine.ended.then(({ words }) => resolve(words.split("\n").at(-1) || "the machine ended while it started"))
      machine.control.on("data", (bytes: Buffer) => {
        const [message] = reader.push(bytes)
        if (message) resolve(message.type === "ready" ? undefined : "the guest broke the protocol")
      })
    })
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener("abort", giveUp)
    machine.control.removeAllListeners("data")
  }
}
