interface Entry<Value> {
  readonly value: Value
  usedMs: number
  /** Requests and streams that are open. */
  users: number
}

/** Things by name that are closed when nobody has used them for a while, or when there are too many. */
export class IdleMap<Value> {
  private readonly entries = new Map<string, Entry<Value>>()
  private readonly timer: NodeJS.Timeout

  constructor(
    private readonly options: {
      readonly most: number
      readonly idleMs: number
      readonly isBusy: (value: Value) => boolean
      readonly close: (value: Value) => Promise<void>
    },
  ) {
    this.timer = setInterval(() => this.sweep(), Math.min(options.idleMs, 60_000)).unref()
  }

  get(name: string): Value | undefined {
    const entry = this.entries.get(name)
    if (entry) entry.usedMs = performance.now()
    return entry?.value
  }

  /** Keeps the one of that name from being closed until the function that it gives is called. */
  enter(name: string): () => void {
    const entry = this.entries.get(name)
    if (entry === undefined) return () => undefined
    entry.users += 1
    return () => {
      entry.users -= 1
      entry.usedMs = performance.now()
    }
  }

  /** Makes room for another one by closing the one that was idle for the longest; false when all of them are in use. */
  hasRoom(): boolean {
    if (this.entries.size < this.options.most) return true
    const idle = [...this.entries].filter(([, entry]) => this.isIdle(entry))
    const [oldest] = idle.sort(([, a], [, b]) => a.usedMs - b.usedMs)
    if (oldest === undefined) return false
    void this.remove(oldest[0])
    return true
  }

  add(name: string, value: Value): void {
    this.entries.set(name, { value, usedMs: performance.now(), users: 0 })
  }

  async remove(name: string): Promise<void> {
    const entry = this.entries.get(name)
    this.entries.delete(name)
    if (entry) await this.options.close(entry.value)
  }

  async close(): Promise<void> {
    clearInterval(this.timer)
    await Promise.all([...this.entries.keys()].map((name) => this.remove(name)))
  }

  private isIdle({ users, value }: Entry<Value>): boolean {
    return users === 0 && !this.options.isBusy(value)
  }

  private sweep(): void {
    const before = performance.now() - this.options.idleMs
    for (const [name, entry] of this.entries) if (entry.usedMs < before && this.isIdle(entry)) void this.remove(name)
  }
}
