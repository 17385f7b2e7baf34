import { relative, resolve } from "node:path"
import {
  type AgentContext,
  type ClientCapabilities,
  methods,
  type ReadTextFileResponse,
} from "@agentclientprotocol/sdk/unstable"
import { type EditorBuffers, isInside } from "@haft/contract"
import { within } from "./within.js"

// A person waits for the call: an editor that is slower is not asked about this file.
const maxMs = 2_000
const maxFailures = 3

/** How the editor names its folders, beside what they really are. */
export interface Folder {
  readonly named: string
  readonly real: string
}

/** The editor's files, as far as it shows them. One that fails again and again is not asked any more. */
export class EditorFiles implements EditorBuffers {
  private readonly client: AgentContext
  private readonly capabilities: NonNullable<ClientCapabilities["fs"]>
  private readonly session: () => { readonly id: string; readonly folders: readonly Folder[] } | undefined
  private failures = 0

  constructor(client: AgentContext, capabilities: ClientCapabilities["fs"], session: EditorFiles["session"]) {
    this.client = client
    this.capabilities = capabilities ?? {}
    this.session = session
  }

  async read(path: string, signal: AbortSignal): Promise<string | undefined> {
    const named = this.named(path)
    if (!this.capabilities.readTextFile || !named || this.failures >= maxFailures) return undefined
    const options = { cancellationSignal: signal }
    const answer = await this.tried<ReadTextFileResponse>(
      this.client.request(methods.client.fs.readTextFile, named, options),
    )
    return answer?.content
  }

  async written(path: string, text: string, signal: AbortSignal): Promise<void> {
    const named = this.named(path)
    if (!this.capabilities.writeTextFile || !named || this.failures >= maxFailures) return
    const request = { ...named, content: text }
    await this.tried(this.client.request(methods.client.fs.writeTextFile, request, { cancellationSignal: signal }))
  }

  /** The file on disk counts where the editor refuses, fails or is slow. */
  private async tried<Answer>(asking: Promise<Answer>): Promise<Answer | undefined> {
    try {
      const answer = await within(maxMs, asking)
      this.failures = 0
      return answer
    } catch {
      this.failures += 1
      return undefined
    }
  }

  private named(path: string): { readonly sessionId: string; readonly path: string } | undefined {
    const session = this.session()
    const folder = session?.folders.find(({ real }) => isInside(path, real))
    if (!session || !folder) return undefined
    return { sessionId: session.id, path: resolve(folder.named, relative(folder.real, path)) }
  }
}
