import { type PinnedEntry, pinInPlace } from "./confirm.js"
import { type FoundFile, GrepOutputReader } from "./grep-output-reader.js"
import { fixedArguments } from "./ripgrep-program.js"
import type { SearchPlace } from "./search-place.js"
import { type Entry, pathOfKey } from "./sorted-prefix.js"
import { startRipgrep, throwIfAborted } from "./start-ripgrep.js"

/** Which files to search, and what to do with what is found in each. */
export interface SearchInPlace<Kind extends Pick<Entry<unknown>, "key">> {
  readonly entries: readonly Kind[]
  readonly arguments: readonly string[]
  readonly maxFileBytes: number
  take(entry: Kind, file: FoundFile): void
}

/** Searches files by descriptors instead of paths, so that no symlink race redirects it; leaves out what is no file in place. */
export async function searchInPlace<Kind extends Pick<Entry<unknown>, "key">>(
  place: SearchPlace,
  search: SearchInPlace<Kind>,
): Promise<{ readonly timedOut: boolean }> {
  const { entries } = search
  let timedOut = false
  for (let from = 0; from < entries.length && !timedOut; from += filesAtOnce) {
    throwIfAborted(place.call.signal)
    const batch = entries.slice(from, from + filesAtOnce)
    const pins = await Promise.all(batch.map(({ key }) => pinInPlace(place.held, pathOfKey(key))))
    const pinned = batch.flatMap((entry, index) => {
      const pin = pins[index]
      return pin?.facts.isFile() ? [{ entry, pin }] : []
    })
    try {
      if (pinned.length > 0) timedOut = await searchPinned(place, search, pinned)
    } finally {
      await Promise.all(pins.map((pin) => pin?.close()))
    }
  }
  return { timedOut }
}

// Each is an open descriptor of this process and of ripgrep.
const filesAtOnce = 64

/** True when the time was up before the end. */
async function searchPinned<Kind extends Pick<Entry<unknown>, "key">>(
  place: SearchPlace,
  search: SearchInPlace<Kind>,
  pinned: readonly { readonly entry: Kind; readonly pin: PinnedEntry }[],
): Promise<boolean> {
  const reader = new GrepOutputReader({
    maxFileBytes: search.maxFileBytes,
    wants: () => true,
    take: (file) => search.take(pinned[Number(file.path) - firstDescriptor]!.entry, file),
  })
  const { reason } = await startRipgrep({
    program: place.program,
    arguments: [
      ...fixedArguments,
      "--no-ignore",
      ...search.arguments,
      "--",
      ...pinned.map((_, index) => `./${firstDescriptor + index}`),
    ],
    cwd: process.platform === "linux" ? "/proc/self/fd" : "/dev/fd",
    descriptors: pinned.map(({ pin }) => pin.descriptor),
    signal: place.call.signal,
    stopAtMs: place.stopAtMs,
    take(chunk) {
      reader.push(chunk)
      return false
    },
    // A file that cannot be read now is not confirmed.
    complain: () => undefined,
  }).ended
  if (reason === "finished") reader.end()
  return reason === "late"
}

// After the three standard ones.
const firstDescriptor = 3
