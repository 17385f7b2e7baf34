import { createTurns } from "./create-turns.js"
import type { SeenDirectory } from "./directory-facts.js"
import { type LookAnswer, type LookRequest, lookAtDirectories, type SeenEntries, width } from "./look-at-entries.js"
import type { IndexedDirectory } from "./read-directory.js"
import { SecondThread } from "./second-thread.js"

/** To start a thread takes as long as looking at so many entries. */
const defaultThreadFrom = 12_000
/** Few, so that a thread that has nothing else to do finds some that the other one has not begun with. */
const entriesAtOnce = 1024
const plain: SeenEntries = { linked: [], texts: undefined, isUnseen: false }

/** A directory as it was added, and what is in it. */
export type SeenRecord = readonly [IndexedDirectory, SeenDirectory]

/** Looks at the files of directories on a second thread, while the first one reads names and sets watches. */
export class FactsAhead {
  thread: SecondThread | undefined
  /** The last one is being filled. */
  private readonly batches: Batch[] = []
  private entries = 0
  private isEnded = false

  constructor(private readonly threadFrom = defaultThreadFrom) {}

  /** A directory whose names were just read at a place, after its watch was set. */
  add(directory: IndexedDirectory, place: string): void {
    const { length, text } = directory.entries
    if (this.isEnded || length === 0) return
    const atOnce = Math.min(entriesAtOnce, this.threadFrom)
    const last = this.batches.at(-1)
    const batch = last && last.entries < atOnce ? last : { directories: [], parts: [], entries: 0 }
    if (batch !== last) this.batches.push(batch)
    batch.directories.push(directory)
    batch.parts.push(place, text)
    batch.entries += length
    this.entries += length
    if (batch.entries < atOnce || this.entries < this.threadFrom) return
    if (this.thread) send(batch, this.thread)
    else this.start()
  }

  /**
   * What was seen, a part at a time. What is missing has to be looked at by the caller. While nothing is there this thread
   * looks as well, from the end on, until both meet (benchmark: workspace-size, first write).
   */
  async *seen(maxMs: number, turns = createTurns()): AsyncIterable<readonly SeenRecord[]> {
    const timer = setTimeout(() => this.end(), maxMs)
    try {
      for (const left = [...this.batches]; left.length > 0; await turns.breathe()) {
        if (turns.isOver(maxMs)) this.end()
        if (!left[0]!.answer && !this.isEnded) {
          const last = left.at(-1)!
          last.answer ??= lookAtDirectories(requestOf(last))
          if (last.answer) left.unshift(left.pop()!)
          else await left[0]!.asked
        }
        yield seenIn(left.shift()!)
      }
    } finally {
      clearTimeout(timer)
      this.isEnded = true
    }
  }

  /** Ends the thread. */
  end(): void {
    this.isEnded = true
    this.thread?.end()
  }

  private start(): void {
    this.thread = SecondThread.start()
    for (const batch of this.thread ? this.batches : []) send(batch, this.thread!)
  }
}

interface Batch {
  readonly directories: IndexedDirectory[]
  /** Place and names of each in turn. */
  readonly parts: string[]
  entries: number
  request?: LookRequest
  answer?: LookAnswer | undefined
  asked?: Promise<void>
}

function send(batch: Batch, thread: SecondThread): void {
  batch.asked = thread.ask(requestOf(batch)).then((answer) => {
    batch.answer ??= answer
  })
}

function requestOf(batch: Batch): LookRequest {
  batch.request ??= {
    text: batch.parts.join("\0"),
    numbers: new Float64Array(new SharedArrayBuffer(Float64Array.BYTES_PER_ELEMENT * width * batch.entries)),
    claim: new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT)),
  }
  return batch.request
}

function seenIn({ directories, request, answer }: Batch): readonly SeenRecord[] {
  let next = 0
  return directories.flatMap((directory, position) => {
    const offset = next
    next += directory.entries.length * width
    const { linked, texts, isUnseen } = answer?.get(position) ?? plain
    return answer ? [[directory, { linked, texts, isUnseen, numbers: request!.numbers, offset }]] : []
  })
}
