import { createWriteStream } from "node:fs"
import { chmod, chown, rm } from "node:fs/promises"
import { createServer, type Socket } from "node:net"
import { dirname, join } from "node:path"
import type { Duplex } from "node:stream"
import { pipeline } from "node:stream/promises"
import { ToolError } from "@haft/contract"
import { fileError, pause } from "@haft/host"
import { makeScratchFolder } from "../scratch.js"
import { machinePlaces, machineUser } from "./confine-machine.js"
import type { Machine } from "./start-machine.js"

const socketName = "snapshot"
const pollMs = 20

/** A place that a machine can send its state to. */
export interface SnapshotPort {
  /** The folder that the machine must see. */
  readonly folder: string
  /** Saves the state of a machine that is ready and idle. */
  save(machine: Machine, path: string, deadlineMs: number): Promise<void>
  close(): Promise<void>
}

/** Opens a socket that only the machine sees. QEMU may write no file, so it sends its state instead. */
export async function openSnapshotPort(): Promise<SnapshotPort> {
  const folder = await makeScratchFolder()
  const path = join(folder, socketName)
  let connected: (socket: Socket) => void = () => undefined
  const connection = new Promise<Socket>((resolve) => {
    connected = resolve
  })
  const server = createServer((socket) => connected(socket))
  try {
    await new Promise<void>((resolve, reject) => {
      server.once("error", reject)
      server.listen(path, resolve)
    })
    if (process.getuid?.() === 0) {
      for (const each of [folder, path]) await chown(each, machineUser, machineUser)
      await chmod(path, 0o600)
    }
  } catch (error) {
    await rm(folder, { recursive: true, force: true })
    throw error
  }
  return {
    folder,
    save: (machine, target, deadlineMs) => save({ machine, target, deadlineMs, connection }),
    async close() {
      server.close()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

interface SaveRequest {
  readonly machine: Machine
  readonly target: string
  readonly deadlineMs: number
  readonly connection: Promise<Socket>
}

async function save({ machine, target, deadlineMs, connection }: SaveRequest): Promise<void> {
  const until = Date.now() + deadlineMs
  const monitor = await openMonitor(machine.monitor!)
  const written = connection
    .then((socket) => pipeline(socket, createWriteStream(target, { flags: "wx", mode: 0o644 })))
    .catch((error: unknown) => Promise.reject(fileError(error, "save the snapshot in", dirname(target))))
  let unwritten: unknown
  written.catch((error: unknown) => {
    unwritten = error
  })
  await monitor.execute("migrate-set-parameters", { "max-bandwidth": 10_000_000_000, "downtime-limit": 60_000 })
  await monitor.execute("migrate", { uri: `unix:${machinePlaces.snapshot}/${socketName}` })
  for (;;) {
    const { status } = await monitor.execute("query-migrate")
    if (status === "completed") break
    // The machine only sees that nobody listens any more; why is known here.
    if (unwritten !== undefined) throw unwritten
    if (status === "failed" || status === "cancelled") throw failed("the machine gave up")
    if (Date.now() > until) throw failed(`it took longer than ${deadlineMs} ms`)
    await pause(pollMs)
  }
  await machine.end()
  await written
}

function failed(reason: string): ToolError {
  return new ToolError("backend", `Cannot save the snapshot: ${reason}`)
}

/** Talks to the monitor of a machine, one command at a time. */
interface Monitor {
  execute(command: string, values?: Readonly<Record<string, unknown>>): Promise<Readonly<Record<string, unknown>>>
}

// The answers that matter are short.
const mostBytes = 1024 * 1024

/** Opens the monitor: waits for its greeting and leaves its set-up mode. */
async function openMonitor(stream: Duplex): Promise<Monitor> {
  const answers = createAnswers(stream)
  await answers.next((message) => "QMP" in message)
  const execute: Monitor["execute"] = async (command, values) => {
    stream.write(`${JSON.stringify({ execute: command, ...(values && { arguments: values }) })}\n`)
    const answer = await answers.next((message) => "return" in message || "error" in message)
    if ("error" in answer) {
      const words = (answer.error as { desc?: string }).desc ?? "no reason given"
      throw new ToolError("backend", `Cannot tell the machine to "${command}": ${words}`)
    }
    return answer.return as Readonly<Record<string, unknown>>
  }
  await execute("qmp_capabilities")
  return { execute }
}

type Message = Readonly<Record<string, unknown>>

/** Messages in the order of their coming; events that nobody waits for are passed over. */
function createAnswers(stream: Duplex) {
  const messages: Message[] = []
  let text = ""
  let failure: ToolError | undefined
  let wake: () => void = () => undefined
  const fail = (reason: string): void => {
    failure ??= new ToolError("backend", `Cannot talk to the machine: ${reason}`)
    wake()
  }
  stream.on("data", (piece: Buffer) => {
    text += piece.toString("utf8")
    if (text.length > mostBytes) return fail("it says too much")
    const lines = text.split("\n")
    text = lines.pop()!
    try {
      for (const line of lines) if (line.trim()) messages.push(JSON.parse(line) as Message)
    } catch {
      fail("it does not speak JSON")
    }
    wake()
  })
  stream.on("close", () => fail("it is gone"))
  return {
    async next(wanted: (message: Message) => boolean): Promise<Message> {
      for (;;) {
        const message = messages.shift()
        if (message && wanted(message)) return message
        if (message) continue
        if (failure) throw failure
        await new Promise<void>((resolve) => {
          wake = resolve
        })
      }
    },
  }
}
