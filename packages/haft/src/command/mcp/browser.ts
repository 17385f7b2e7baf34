import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { ToolError } from "@haft/contract"
import type { Say } from "@haft/language"
import type { Browser } from "@haft/mcp"
import type { Io } from "../io.js"

const waitMs = 300_000

/** Listens on this machine alone for the answer of a sign-in; the person opens the address in a browser of their own. */
export async function openBrowser(
  { io, say }: { readonly io: Pick<Io, "stderr">; readonly say: Say },
  signal: AbortSignal,
): Promise<Browser & { close(): void }> {
  const answers: { state: string; take: (answer: URLSearchParams) => void }[] = []
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? "/", "http://127.0.0.1")
    const waiting = answers.find(({ state }) => url.pathname === "/callback" && url.searchParams.get("state") === state)
    response.writeHead(waiting ? 200 : 400, { "content-type": "text/plain; charset=utf-8" })
    response.end(`${waiting ? say`Signed in. You can close this page.` : say`Nobody waits for this.`}\n`)
    waiting?.take(url.searchParams)
  })
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject)
    server.listen(0, "127.0.0.1", resolve)
  })
  const { port } = server.address() as AddressInfo
  return {
    redirectUrl: `http://127.0.0.1:${port}/callback`,
    authorize(address, state) {
      io.stderr.write(`${say`Sign in here: ${address.href}`}\n`)
      return new Promise((resolve, reject) => {
        const late = () =>
          reject(new ToolError("timeout", "Cannot sign in: nobody came back from the sign-in page in time"))
        const timer = setTimeout(late, waitMs)
        signal.addEventListener("abort", () => reject(signal.reason), { once: true })
        const take = (answer: URLSearchParams) => {
          clearTimeout(timer)
          resolve(answer)
        }
        answers.push({ state, take })
      })
    },
    close() {
      server.close()
      server.closeAllConnections()
    },
  }
}
