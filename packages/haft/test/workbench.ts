import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { PassThrough, Readable } from "node:stream"
import { main } from "../src/command/main.js"

/** What a run of the command line left behind. */
export interface Ran {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
}

/** A workspace, a home and a configuration of their own, and the command line run inside them in this process. */
export interface Workbench {
  readonly work: string
  readonly home: string
  readonly config: string
  readonly managedFile: string
  readonly env: Readonly<Record<string, string>>
  write(path: string, text: string): string
  read(path: string): string
  run(words: readonly string[], options?: RunOptions): Promise<Ran>
  remove(): void
}

/** How a run differs from a quiet one in the workspace. */
export interface RunOptions {
  readonly input?: string
  readonly env?: Readonly<Record<string, string>>
  readonly cwd?: string
  readonly signal?: AbortSignal
  /** The terminal that the command runs at; none by default. */
  readonly terminal?: string
}

/** Makes a workbench; relative paths are those of the workspace. */
export function workbench(): Workbench {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "haft-command-")))
  const work = join(folder, "work")
  mkdirSync(work)
  const env = { HOME: join(folder, "user"), HAFT_HOME: join(folder, "state"), XDG_CONFIG_HOME: join(folder, "config") }
  const managedFile = join(folder, "managed.jsonc")
  return {
    work,
    home: env.HAFT_HOME,
    config: join(env.XDG_CONFIG_HOME, "haft"),
    managedFile,
    env,
    write(path, text) {
      const file = join(work, path)
      mkdirSync(dirname(file), { recursive: true })
      writeFileSync(file, text, { mode: 0o600 })
      return file
    },
    read: (path) => readFileSync(join(work, path), "utf8"),
    async run(words, { input = "", env: more = {}, cwd = work, signal, terminal } = {}) {
      const [stdout, stderr] = [new Collector(), new Collector()]
      const code = await main(words, {
        stdin: Readable.from(input === "" ? [] : [input]),
        stdout,
        stderr,
        env: { ...env, ...more },
        cwd,
        managedFile,
        terminal: () => terminal,
        ...(signal ? { signal } : {}),
      })
      return { code, stdout: stdout.text, stderr: stderr.text }
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  }
}

class Collector extends PassThrough {
  text = ""

  constructor() {
    super()
    this.on("data", (piece) => {
      this.text += String(piece)
    })
  }
}
