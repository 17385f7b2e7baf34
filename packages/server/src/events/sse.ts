/** An answer of server-sent events. Frames are taken when the socket has room: a slow reader holds back one of them. */
export function sseResponse(frames: AsyncGenerator<string>, done: () => void): Response {
  const encoder = new TextEncoder()
  const body = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { value, done: isOver } = await frames.next()
        if (!isOver) controller.enqueue(encoder.encode(value))
        else {
          controller.close()
          done()
        }
      },
      async cancel() {
        done()
        await frames.return(undefined)
      },
    },
    { highWaterMark: 0 },
  )
  return new Response(body, { headers: { "Content-Type": "text/event-stream", "Cache-Control": "no-store" } })
}
