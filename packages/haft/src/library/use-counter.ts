import { appendFileSync } from "node:fs"
import { bestEffort, type SessionEvent } from "@haft/contract"
import type { Registry } from "@haft/runtime"

/** Where the launcher keeps what was used, below the home folder of Haft. */
export const launcherFile = "launcher.json"

/**
 * Counts the tools that a session used, so that the launcher shows them first. It listens to events and writes once, when
 * the session ends: a short append beside the launcher's file, which the next search sums up (`takeNotedUses` in desktop).
 */
export class UseCounter {
  private readonly file: string
  private readonly uses = new Map<string, { readonly count: number; readonly lastUsed: number }>()

  private readonly registry: Registry
  /** How many calls ended that may have changed files. */
  changes = 0

  /** `file` is that of the launcher. */
  constructor(file: string, registry: Registry) {
    this.file = file
    this.registry = registry
  }

  hear(event: SessionEvent): void {
    // Tools that only a dialect has are not registered, and count as changing.
    const mayChange = event.type === "tool-end" && this.registry.find(event.tool)?.manifest.tier !== "read-only"
    if (mayChange) this.changes += 1
    if (event.type !== "tool-end" || event.envelope.type !== "output") return
    const id = `tool_${event.tool}`
    this.uses.set(id, { count: (this.uses.get(id)?.count ?? 0) + 1, lastUsed: event.at })
  }

  close(): void {
    if (this.uses.size === 0) return
    const lines = [...this.uses].map(([id, { count, lastUsed }]) => `${JSON.stringify([id, count, lastUsed])}\n`)
    this.uses.clear()
    bestEffort("a count of uses must not fail the session", () =>
      appendFileSync(`${this.file}.log`, lines.join(""), { mode: 0o600 }),
    )
  }
}
