import { readdirSync, readFileSync, readlinkSync } from "node:fs"
import { connect } from "node:net"
import { bestEffort, type JobRequest } from "@haft/contract"

/** Finds out when a job is ready. */
export interface ReadyWatch {
  /** Undefined when the job has no sign of readiness. */
  readonly ready: boolean | undefined
  /** Takes output, which may hold the awaited text. */
  take(chunk: Buffer): void
  stop(): void
}

/** What to wait for and whom to tell. */
export interface ReadyOptions {
  readonly when: JobRequest["readyWhen"]
  readonly processes: () => Promise<readonly number[]>
  readonly onReady: () => void
}

const firstLookMs = 25
const slowestLookMs = 400

/** Watches for the text in the output and for the port; whichever comes first. */
export function watchReady({ when, processes, onReady }: ReadyOptions): ReadyWatch {
  const { text, port } = when ?? {}
  let ready = false
  let stopped = false
  let timer: NodeJS.Timeout | undefined
  let rest = Buffer.alloc(0)
  const settle = () => {
    clearTimeout(timer)
    if (ready || stopped) return
    ready = true
    onReady()
  }
  const lookAtPort = (wanted: number, pauseMs: number) => {
    timer = setTimeout(async () => {
      if (ready || stopped) return
      if (await portAnswers(wanted, await processes())) return settle()
      if (!stopped) lookAtPort(wanted, Math.min(pauseMs * 1.5, slowestLookMs))
    }, pauseMs)
    timer.unref()
  }
  if (port !== undefined) lookAtPort(port, firstLookMs)
  const wanted = text === undefined || text === "" ? undefined : Buffer.from(text)
  return {
    get ready() {
      return when === undefined ? undefined : ready
    },
    take(chunk) {
      if (!wanted || ready) return
      // The text may arrive in two pieces.
      const seen = Buffer.concat([rest, chunk])
      if (seen.includes(wanted)) return settle()
      rest = seen.subarray(Math.max(0, seen.length - wanted.length + 1))
    },
    stop() {
      clearTimeout(timer)
      stopped = true
    },
  }
}

/** Whether one of these processes listens on the port, in whatever network namespace it is. */
function portAnswers(port: number, pids: readonly number[]): Promise<boolean> | boolean {
  return process.platform === "linux" ? pids.some((pid) => listens(pid, port)) : connects(port)
}

function listens(pid: number, port: number): boolean {
  const sockets = new Set(["tcp", "tcp6"].flatMap((table) => listeningSockets(pid, table, port)))
  // Somebody else may listen on the same port of a shared network: the socket must be this process's own.
  return sockets.size > 0 && openSockets(pid).some((socket) => sockets.has(socket))
}

const listenState = "0A"

function listeningSockets(pid: number, table: string, port: number): readonly string[] {
  const wanted = port.toString(16).toUpperCase().padStart(4, "0")
  return read(`/proc/${pid}/net/${table}`)
    .split("\n")
    .flatMap((line) => {
      const fields = line.trim().split(/\s+/)
      const inode = fields[9]
      return fields[1]?.endsWith(`:${wanted}`) && fields[3] === listenState && inode ? [`socket:[${inode}]`] : []
    })
}

function openSockets(pid: number): readonly string[] {
  return (
    bestEffort("the process may have ended", () =>
      readdirSync(`/proc/${pid}/fd`).flatMap((descriptor) => {
        try {
          return [readlinkSync(`/proc/${pid}/fd/${descriptor}`)]
        } catch {
          return []
        }
      }),
    ) ?? []
  )
}

function read(path: string): string {
  return bestEffort("the process may have ended", () => readFileSync(path, "latin1")) ?? ""
}

function connects(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ port, host: "127.0.0.1" })
    const settle = (answers: boolean) => {
      socket.destroy()
      resolve(answers)
    }
    socket.once("connect", () => settle(true))
    socket.once("error", () => settle(false))
  })
}
