import { createHash } from "node:crypto"
import { open } from "node:fs/promises"
import { ToolError } from "@haft/contract"

/** A file to fetch, with what it must be. */
export interface Download {
  readonly url: URL
  /** In hex. */
  readonly sha256: string
  /** A file that does not exist yet. */
  readonly file: string
  readonly fetch?: typeof globalThis.fetch
  readonly signal?: AbortSignal
}

// Ten times the size of any build of git.
const maxBytes = 1024 * 1024 * 1024

/** Fetches a file and compares its SHA-256; anything but the right file is an error. The caller removes what is there. */
export async function downloadChecked({
  url,
  sha256,
  file,
  fetch = globalThis.fetch,
  signal,
}: Download): Promise<void> {
  const wanted = sha256.trim().toLowerCase()
  if (!/^[0-9a-f]{64}$/.test(wanted)) {
    throw new ToolError("invalid_args", `Cannot check "${url.href}": "${sha256}" is no SHA-256; give 64 hex digits`)
  }
  const response = await fetch(url, signal === undefined ? {} : { signal }).catch((error: unknown) => {
    throw new ToolError("unavailable", `Cannot fetch "${url.href}": ${reasonOf(error)}`, { cause: error })
  })
  if (!response.ok || response.body === null) {
    await response.body?.cancel()
    throw new ToolError(
      "unavailable",
      `Cannot fetch "${url.href}": the server answers ${response.status}; check the address`,
    )
  }
  const found = await save(response.body, file, url)
  if (found === wanted) return
  throw new ToolError(
    "denied",
    `Cannot use "${url.href}": its SHA-256 is ${found} and not ${wanted}; nothing was installed`,
    {
      fix: "Get the right hash from whoever made the build, or report that the server holds another file",
    },
  )
}

async function save(body: ReadableStream<Uint8Array>, file: string, url: URL): Promise<string> {
  const hash = createHash("sha256")
  const handle = await open(file, "wx", 0o600)
  let size = 0
  try {
    for await (const chunk of body) {
      size += chunk.length
      if (size > maxBytes)
        throw new ToolError("too_large", `Cannot fetch "${url.href}": it is larger than ${maxBytes} bytes`)
      hash.update(chunk)
      await handle.writeFile(chunk)
    }
  } catch (error) {
    if (ToolError.is(error)) throw error
    throw new ToolError("unavailable", `Cannot fetch "${url.href}": ${reasonOf(error)}`, { cause: error })
  } finally {
    await handle.close()
  }
  return hash.digest("hex")
}

function reasonOf(error: unknown): string {
  const cause = error instanceof Error ? (error.cause ?? error) : error
  return cause instanceof Error ? cause.message : String(cause)
}
