import type { Readable, Writable } from "node:stream"
import type { McpServerFactory, RequestId } from "@modelcontextprotocol/server"
import { serveStdio as serveConnection } from "@modelcontextprotocol/server/stdio"
import { DirectCalls } from "./direct-calls.js"
import type { ServeHost } from "./host.js"
import { answerStates, protocolServer } from "./protocol-server.js"
import { ServedSession } from "./served-session.js"
import { StdioFrames } from "./stdio-frames.js"

/** Serves one client over two streams until it goes away or the signal aborts; then nothing of it runs any more. */
export async function serveStdio(
  host: ServeHost,
  {
    input,
    output,
    signal,
  }: { readonly input: Readable; readonly output: Writable; readonly signal?: AbortSignal | undefined },
): Promise<void> {
  const frames = new StdioFrames(input, output)
  const session = new ServedSession(host)
  const calls = new DirectCalls(host, session, frames)
  frames.oncall = (request) => calls.take(request)
  frames.oncancel = (id) => calls.cancel(id)
  const options = {
    ...{ host, state: answerStates(), sessionOf: () => session, onerror: () => undefined },
    started: (id: RequestId) => calls.started(id),
  }
  const serve: McpServerFactory = ({ era }) => {
    const server = protocolServer(options)
    if (era === "legacy") server.oninitialized = () => void calls.open(server)
    return server
  }
  const connection = serveConnection(serve, { transport: frames })
  const stop = () => void connection.close()
  signal?.addEventListener("abort", stop, { once: true })
  if (signal?.aborted) stop()
  try {
    await frames.closed
  } finally {
    signal?.removeEventListener("abort", stop)
    await session.close()
  }
}
