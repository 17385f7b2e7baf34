import type { Readable, Writable } from "node:stream"
import { serveStdio as serveConnection } from "@modelcontextprotocol/server/stdio"
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
  const options = { host, state: answerStates(), sessionOf: () => session, onerror: () => undefined }
  const connection = serveConnection(() => protocolServer(options), { transport: frames })
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
