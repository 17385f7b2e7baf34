import type { SessionEvent } from "@haft/contract"

/** Events between their source and one reader. A slow reader gets runs of small pieces as one. */
export class EventQueue implements AsyncIterable<SessionEvent> {
  private readonly waiting: SessionEvent[] = []
  private wake: (() => void) | undefined

  push(event: SessionEvent): void {
    const last = this.waiting.at(-1)
    const joined = last && join(last, event)
    if (joined) this.waiting[this.waiting.length - 1] = joined
    else this.waiting.push(event)
    this.wake?.()
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<SessionEvent> {
    for (;;) {
      while (this.waiting.length > 0) yield this.waiting.shift()!
      await new Promise<void>((resolve) => {
        this.wake = resolve
      })
      this.wake = undefined
    }
  }
}

function join(one: SessionEvent, other: SessionEvent): SessionEvent | undefined {
  if (!("delta" in one) || !("delta" in other) || one.type !== other.type) return undefined
  const same = (key: string) => (one as unknown as Record<string, unknown>)[key] === (other as never)[key]
  if (!same("turn") || !same("step") || !same("call")) return undefined
  return { ...other, delta: one.delta + other.delta }
}
