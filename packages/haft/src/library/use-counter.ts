import { appendFileSync } from "node:fs"
import type { SessionEvent } from "@haft/contract"

/** Where the launcher keeps what was used, below the home folder of Haft. */
export const launcherFile = "launcher.json"

/**
 * Counts the tools that a session used, so that the launcher shows them first. It listens to events and writes once, when
 * the session ends: a short append beside the launcher's file, which the next search sums up (`takeNotedUses` in desktop).
 */
export class UseCounter {
  private readonly file: string
  private readonly uses = new Map<string, { readonly count: number; readonly lastUsed: number }>()

  /** `file` is that of the launcher. */
  constructor(file: string) {
    this.file = file
  }

  hear(event: SessionEvent): void {
    if (event.type !== "tool-end" || event.envelope.type !== "output") return
    const id = `tool_${event.tool}`
    this.uses.set(id, { count: (this.uses.get(id)?.count ?? 0) + 1, lastUsed: event.at })
  }

  close(): void {
    if (this.uses.size === 0) return
    const lines = [...this.uses].map(([id, { count, lastUsed }]) => `${JSON.stringify([id, count, lastUsed])}\n`)
    this.uses.clear()
    try {
      appendFileSync(`${this.file}.log`, lines.join(""), { mode: 0o600 })
    } catch {
      // Counting what was used never fails what is used.
    }
  }
}
