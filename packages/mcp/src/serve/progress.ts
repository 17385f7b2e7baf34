import { bestEffort } from "@haft/contract"

const keptCharacters = 4000
const longestMessage = 200
const everyMs = 100

/** What a call has printed so far: its end, and how much it was. */
export class LiveOutput {
  characters = 0
  /** Called after each piece. */
  onPiece: (() => void) | undefined
  private tail = ""

  append(piece: string): void {
    this.characters += piece.length
    this.tail = `${this.tail}${piece}`.slice(-keptCharacters)
    this.onPiece?.()
  }

  /** The last line with something in it. */
  get lastLine(): string {
    const line = this.tail.split(/[\r\n]/).findLast((each) => each.trim() !== "")
    return (line ?? "").slice(-longestMessage)
  }
}

/** What a notification about progress says. */
type Progress = { readonly progressToken: string | number; readonly progress: number; readonly message: string }

/** Tells the client of a request what its call prints, if it asked for that; gives what ends it: nothing may follow a result. */
export function tellProgress(
  call: { readonly output: LiveOutput },
  progressToken: string | number | undefined,
  notify: (params: Progress) => Promise<void>,
): () => void {
  if (progressToken === undefined) return nothing
  const { output } = call
  let timer: NodeJS.Timeout | undefined
  let sentMs = Number.NEGATIVE_INFINITY
  const send = () => {
    timer = undefined
    sentMs = performance.now()
    const params = { progressToken, progress: output.characters, message: output.lastLine }
    void bestEffort("a client that is gone ends the call by its signal", notify(params))
  }
  const onPiece = () => {
    if (timer) return
    const waitMs = sentMs + everyMs - performance.now()
    if (waitMs <= 0) send()
    else timer = setTimeout(send, waitMs).unref()
  }
  output.onPiece = onPiece
  return () => {
    clearTimeout(timer)
    if (output.onPiece === onPiece) output.onPiece = undefined
  }
}

const nothing = () => undefined
