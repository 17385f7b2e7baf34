import { mkdtemp, rm } from "node:fs/promises"
import { createServer, type Server, type Socket } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { AgentContext, TerminalHandle, ToolCallContent } from "@agentclientprotocol/sdk/unstable"
import { bestEffort } from "@haft/contract"
import { within } from "../wire/within.js"
import type { CallPart, OutputView } from "./terminal.js"

/** The program that shows what comes through a socket: `haft acp --attach SOCKET`. */
export type Viewer = (socket: string) => { readonly command: string; readonly args: readonly string[] }

// What is printed before the editor has opened its terminal, or while it is slow.
const maxHeld = 256 * 1024
const openMs = 5_000
const closeMs = 10_000

/**
 * A terminal of the editor. It runs a viewer and not the command, which stays in the sandbox: a terminal of the editor is
 * outside of it. The viewer prints what it is sent and ends with the code of the command.
 */
export class ClientTerminal implements OutputView {
  content: ToolCallContent[] | undefined
  private readonly client: AgentContext
  private readonly request: { readonly sessionId: string; readonly cwd: string }
  private readonly viewer: Viewer
  private held = ""
  private socket: Socket | undefined
  private server: Server | undefined
  private folder: string | undefined
  private handle: TerminalHandle | undefined

  constructor(client: AgentContext, request: { readonly sessionId: string; readonly cwd: string }, viewer: Viewer) {
    this.client = client
    this.request = request
    this.viewer = viewer
  }

  /** Throws where the editor gives no terminal. */
  async begin(): Promise<CallPart> {
    this.folder = await mkdtemp(join(tmpdir(), "haft-acp-"))
    const path = join(this.folder, "output")
    try {
      this.server = await listening(path, (socket) => this.attach(socket))
      const { command, args } = this.viewer(path)
      const creating = this.client.createTerminal({ ...this.request, command, args: [...args] })
      this.handle = await within(openMs, creating)
    } catch (error) {
      await this.close()
      throw error
    }
    this.content = [{ type: "terminal", terminalId: this.handle.id }]
    return { content: this.content }
  }

  output(delta: string): undefined {
    if (!this.socket) this.held = (this.held + delta).slice(-maxHeld)
    else if (this.socket.writableLength < maxHeld) this.write({ text: delta })
  }

  end(exitCode: number | undefined): CallPart {
    void bestEffort("an editor that is gone shows nothing", this.finish(exitCode))
    return {}
  }

  private async finish(exitCode: number | undefined): Promise<void> {
    const last = { exit: exitCode ?? 1 }
    if (this.socket) this.write(last)
    else this.server?.once("connection", () => this.write(last))
    try {
      if (this.handle) await within(closeMs, this.handle.waitForExit())
    } finally {
      await bestEffort("the editor may have released it", within(closeMs, this.handle?.release() ?? Promise.resolve()))
      await this.close()
    }
  }

  /** The first that connects is the viewer; the folder is closed to other users. */
  private attach(socket: Socket): void {
    if (this.socket) {
      socket.destroy()
      return
    }
    this.socket = socket
    socket.on("error", () => socket.destroy())
    if (this.held !== "") this.write({ text: this.held })
    this.held = ""
  }

  private write(piece: { readonly text: string } | { readonly exit: number }): void {
    if (this.socket?.writable) this.socket.write(`${JSON.stringify(piece)}\n`)
  }

  private async close(): Promise<void> {
    this.socket?.destroy()
    this.server?.close()
    if (this.folder) await rm(this.folder, { recursive: true, force: true })
  }
}

function listening(path: string, onConnection: (socket: Socket) => void): Promise<Server> {
  return new Promise((resolve, reject) => {
    const server = createServer(onConnection)
    server.once("error", reject)
    server.listen(path, () => resolve(server))
    // A terminal that nobody opens does not keep the process.
    server.unref()
  })
}
