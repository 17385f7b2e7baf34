/** What a reader does with what it finds in a stream. */
export interface MessageReaderOptions {
  readonly maxBytes: number
  readonly onMessage: (message: unknown) => void
  /** A message was larger than `maxBytes`; it was passed over without being kept. */
  readonly onTooLarge: (bytes: number) => void
  /** The stream holds something that is no message; nothing more can be read from it. */
  readonly onGarbage: (reason: string) => void
}

// A header has two short fields; what is longer is none.
const maxHeaderBytes = 8192

type State =
  | { readonly at: "header" }
  | { readonly at: "body"; readonly length: number }
  | { readonly at: "passing"; left: number }
  | { readonly at: "lost" }

/** Takes messages with `Content-Length` headers out of a stream, however it is cut into chunks. */
export function createMessageReader(options: MessageReaderOptions): { push(chunk: Uint8Array): void } {
  let state: State = { at: "header" }
  let chunks: Buffer[] = []
  let size = 0

  return {
    push(chunk) {
      if (state.at === "lost") return
      keep(Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength))
      while (step());
    },
  }

  /** Takes the next piece; false when more bytes are needed first. */
  function step(): boolean {
    switch (state.at) {
      case "header":
        return readHeader()
      case "body":
        return size >= state.length && readBody(take(state.length))
      case "passing": {
        const passed = Math.min(size, state.left)
        take(passed)
        state.left -= passed
        if (state.left > 0) return false
        state = { at: "header" }
        return size > 0
      }
      case "lost":
        return false
    }
  }

  function readHeader(): boolean {
    const head = join()
    const end = endOfHeader(head)
    if (end === undefined) {
      return head.length > maxHeaderBytes ? lose("its output does not begin with a message header") : false
    }
    const length = contentLength(head.subarray(0, end).toString("latin1"))
    if (length === undefined) return lose("a message header names no length")
    take(end)
    if (length <= options.maxBytes) state = { at: "body", length }
    else {
      state = { at: "passing", left: length }
      options.onTooLarge(length)
    }
    return true
  }

  function readBody(body: Buffer): boolean {
    state = { at: "header" }
    let message: unknown
    try {
      message = JSON.parse(body.toString("utf8"))
    } catch {
      return lose("a message is not JSON")
    }
    options.onMessage(message)
    return true
  }

  function lose(reason: string): false {
    state = { at: "lost" }
    chunks = []
    size = 0
    options.onGarbage(reason)
    return false
  }

  function keep(chunk: Buffer): void {
    if (chunk.length === 0) return
    chunks.push(chunk)
    size += chunk.length
  }

  /** Everything kept as one buffer. Bodies that are still incomplete are not joined, so a large one is copied once. */
  function join(): Buffer {
    const whole = chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks)
    chunks = whole.length > 0 ? [whole] : []
    return whole
  }

  function take(count: number): Buffer {
    const whole = join()
    const rest = whole.subarray(count)
    chunks = rest.length > 0 ? [rest] : []
    size = rest.length
    return whole.subarray(0, count)
  }
}

/** Where the empty line after a header ends; some servers write it without carriage returns. */
function endOfHeader(head: Buffer): number | undefined {
  const strict = head.indexOf("\r\n\r\n")
  const plain = head.indexOf("\n\n")
  if (strict >= 0 && (plain < 0 || strict < plain)) return strict + 4
  return plain >= 0 ? plain + 2 : undefined
}

/** The length that a header names. Lines before it that are no fields come from programs that print to their output. */
function contentLength(header: string): number | undefined {
  const digits = /^content-length:[ \t]*(\d{1,15})[ \t]*\r?$/im.exec(header)?.[1]
  return digits === undefined ? undefined : Number(digits)
}
