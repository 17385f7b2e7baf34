import { readdirSync, readFileSync, readlinkSync } from "node:fs"
import { connect } from "node:net"

/** Whether one of these processes listens on the port, in whatever network namespace it is. */
export function portAnswers(port: number, pids: readonly number[]): Promise<boolean> | boolean {
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
  try {
    return readdirSync(`/proc/${pid}/fd`).flatMap((descriptor) => {
      try {
        return [readlinkSync(`/proc/${pid}/fd/${descriptor}`)]
      } catch {
        return []
      }
    })
  } catch {
    return []
  }
}

function read(path: string): string {
  try {
    return readFileSync(path, "latin1")
  } catch {
    return ""
  }
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
