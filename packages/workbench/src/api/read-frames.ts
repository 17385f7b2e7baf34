/** One message of an event stream. */
export interface Frame {
  readonly event: string
  readonly id?: string
  readonly data: unknown
}

/** Reads server-sent events from an answer, one frame at a time; `EventSource` cannot send the token. */
export async function* readFrames(body: ReadableStream<Uint8Array>): AsyncGenerator<Frame> {
  const reader = body.pipeThrough(new TextDecoderStream() as ReadableWritablePair<string, Uint8Array>).getReader()
  let rest = ""
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      const blocks = (rest + value).split("\n\n")
      rest = blocks.pop() ?? ""
      for (const block of blocks) {
        const frame = parseFrame(block)
        if (frame) yield frame
      }
    }
  } finally {
    // The stream may have failed already; the reader of the frames gets that error.
    await reader.cancel().catch(() => undefined)
  }
}

/** The frame of a block of lines; undefined for a comment, which only keeps the connection alive. */
function parseFrame(block: string): Frame | undefined {
  const fields = new Map<string, string>()
  for (const line of block.split("\n")) {
    const [, name = "", value = ""] = /^([^:]*):? ?(.*)$/.exec(line.replace(/\r$/, "")) ?? []
    if (name !== "") fields.set(name, name === "data" && fields.has("data") ? `${fields.get("data")}\n${value}` : value)
  }
  const data = fields.get("data")
  if (data === undefined) return undefined
  const id = fields.get("id")
  return { event: fields.get("event") ?? "message", data: JSON.parse(data), ...(id !== undefined && { id }) }
}
