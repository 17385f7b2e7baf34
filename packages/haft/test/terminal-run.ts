import { createRequire } from "node:module"

/** A run at a real terminal: a pseudo terminal with the program as the leader of its session. */
export class TerminalRun {
  shown = ""
  private readonly terminal: Pty
  private readonly ended: Promise<number>
  private exitCode: number | undefined
  private seen = 0

  constructor(argv: readonly string[], { cwd, env, columns = 100 }: TerminalRunOptions) {
    const [program, ...rest] = argv
    this.terminal = pty.spawn(program!, rest, {
      ...{ cols: columns, rows: 40, cwd, name: env.TERM ?? "xterm" },
      env: { PATH: process.env.PATH!, ...env },
    })
    this.terminal.onData((piece) => {
      this.shown += piece
    })
    this.ended = new Promise((resolve) => {
      this.terminal.onExit((end) => {
        this.exitCode = end.exitCode
        resolve(end.exitCode)
      })
    })
  }

  get pid(): number {
    return this.terminal.pid
  }

  /** Waits until this text appears after what was waited for before. */
  async until(text: string): Promise<void> {
    for (;;) {
      const at = this.shown.indexOf(text, this.seen)
      if (at !== -1) {
        this.seen = at + text.length
        return
      }
      if (this.exitCode !== undefined) throw new Error(`ended before "${text}":\n${this.shown}`)
      await pause(20)
    }
  }

  /** Types keys at once. */
  type(keys: string): void {
    this.terminal.write(keys)
  }

  /** Types single bytes: parts of a character. */
  typeBytes(bytes: Uint8Array): void {
    this.terminal.write(Buffer.from(bytes))
  }

  /** Waits as a person does who reads first, then presses one key. */
  async press(key: string): Promise<void> {
    await pause(readingMs)
    this.type(key)
  }

  resize(columns: number): void {
    this.terminal.resize(columns, 40)
  }

  /** Closes the terminal as a closed window does. */
  close(): void {
    this.terminal.destroy()
  }

  code(): Promise<number> {
    return this.ended
  }
}

/** Where and how a run goes. */
export interface TerminalRunOptions {
  readonly cwd: string
  readonly env: Readonly<Record<string, string>>
  readonly columns?: number
}

/** Longer than the quarter of a second for which keys count nothing, also on a busy machine. */
const readingMs = 600

/** Waits. */
export function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}

interface Pty {
  readonly pid: number
  onData(listener: (piece: string) => void): void
  onExit(listener: (end: { readonly exitCode: number }) => void): void
  write(text: string | Uint8Array): void
  resize(columns: number, rows: number): void
  destroy(): void
}

const pty = createRequire(import.meta.url)("@lydell/node-pty") as {
  spawn(program: string, argv: readonly string[], options: object): Pty
}
