import { existsSync } from "node:fs"
import { Worker } from "node:worker_threads"
import type { SeenDirectory } from "./directory-facts.js"
import { type SeenEntries, width } from "./look-at-entries.js"
import type { IndexedDirectory } from "./read-directory.js"
import type { LookAnswer, LookRequest } from "./worker/main.js"

/** To start a thread takes as long as looking at so many entries. */
const defaultThreadFrom = 12_000
const entriesAtOnce = 4096
const plain: SeenEntries = { linked: [], texts: undefined, isUnseen: false }

export interface FactsAheadOptions {
  /** Whether places are plain paths, which count only while they resolve to the directory that is held. */
  readonly isPlain: boolean
  /** Where a directory is looked at. */
  readonly placeOf: (path: string) => string
  /** So many entries are worth a thread. */
  readonly threadFrom?: number | undefined
}

/** Looks at the files of directories on a second thread, while the first one reads names and sets watches. */
export class FactsAhead {
  private readonly batches: Batch[] = []
  private current: Batch = { directories: [], parts: [], entries: 0 }
  private entries = 0
  private worker: Worker | undefined
  private answered = 0
  private isEnded = false
  private wake: (() => void) | undefined

  constructor(private readonly options: FactsAheadOptions) {}

  get isPlain(): boolean {
    return this.options.isPlain
  }

  /** A directory whose names were just read, after its watch was set. */
  add(directory: IndexedDirectory): void {
    const { path, entries } = directory
    if (this.isEnded || entries.length === 0) return
    const { current, options } = this
    const { threadFrom = defaultThreadFrom } = options
    current.directories.push(directory)
    current.parts.push(options.placeOf(path), entries.text)
    current.entries += entries.length
    this.entries += entries.length
    if (current.entries < Math.min(entriesAtOnce, threadFrom)) return
    this.batches.push(current)
    this.current = { directories: [], parts: [], entries: 0 }
    if (this.entries < threadFrom) return
    if (this.worker) this.send(current)
    else this.start()
  }

  /** What was seen, by the record that was added. What is missing has to be looked at by the caller. */
  async seen(maxMs: number): Promise<ReadonlyMap<IndexedDirectory, SeenDirectory>> {
    const timer = setTimeout(() => this.end(), maxMs)
    while (this.worker && !this.isEnded && this.answered < this.batches.length) {
      await new Promise<void>((resolve) => {
        this.wake = resolve
      })
    }
    clearTimeout(timer)
    this.end()
    return new Map(this.batches.flatMap((batch) => [...seenIn(batch)]))
  }

  /** Ends the thread. */
  end(): void {
    this.isEnded = true
    this.wake?.()
    void this.worker?.terminate()
  }

  private start(): void {
    const program = workerProgram()
    if (!program) {
      this.end()
      return
    }
    const limits = { maxOldGenerationSizeMb: 128, maxYoungGenerationSizeMb: 32, stackSizeMb: 1 }
    this.worker = new Worker(program, { env: {}, execArgv: [], resourceLimits: limits })
    this.worker.on("message", (answer: LookAnswer) => {
      this.batches[this.answered]!.answer = answer
      this.answered += 1
      this.wake?.()
    })
    // The main thread looks at what the other one did not come to.
    this.worker.on("error", () => this.end()).on("exit", () => this.end())
    for (const batch of this.batches) this.send(batch)
  }

  private send(batch: Batch): void {
    const bytes = Float64Array.BYTES_PER_ELEMENT * width * batch.entries
    batch.numbers = new Float64Array(new SharedArrayBuffer(bytes))
    this.worker!.postMessage({ text: batch.parts.join("\0"), numbers: batch.numbers } satisfies LookRequest)
    batch.parts = []
  }
}

interface Batch {
  readonly directories: IndexedDirectory[]
  parts: string[]
  entries: number
  numbers?: Float64Array
  answer?: LookAnswer
}

function* seenIn({ directories, numbers, answer }: Batch): Iterable<readonly [IndexedDirectory, SeenDirectory]> {
  if (!numbers || !answer) return
  let offset = 0
  for (const [position, directory] of directories.entries()) {
    yield [directory, { ...(answer.get(position) ?? plain), numbers, offset }]
    offset += directory.entries.length * width
  }
}

/** The bundle of the worker: beside the chunks of the built command and of the package, and in the compiled package when this
 * module runs from there or from the sources. */
function workerProgram(): URL | undefined {
  const places = ["./index-worker/", "../index-worker/", "../../dist/index-worker/"]
  return places.map((place) => new URL(`${place}main.mjs`, import.meta.url)).find((program) => existsSync(program))
}
