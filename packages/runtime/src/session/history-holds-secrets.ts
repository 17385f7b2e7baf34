import type { SessionPorts, TrackedFiles } from "@haft/contract"
import { judgeFile, type RuleBook } from "@haft/guard"

// Above this the answer would take longer than a person who is asked.
const mostFiles = 200_000

const known = new WeakMap<RuleBook, WeakMap<object, boolean>>()

/** Whether git keeps content of a file that these rules deny to read: a mask hides the file, not its history. */
export function historyHoldsSecrets(book: RuleBook, ports: SessionPorts): boolean {
  return ports.trackedFiles?.().some((files) => holdsSecrets(files, book)) ?? false
}

function holdsSecrets(files: TrackedFiles, book: RuleBook): boolean {
  const answers = known.get(book) ?? new WeakMap<object, boolean>()
  known.set(book, answers)
  const before = answers.get(files.version)
  if (before !== undefined) return before
  const found = files.count > mostFiles || hasDenied(files.paths(), book)
  answers.set(files.version, found)
  return found
}

function hasDenied(paths: Iterable<string>, book: RuleBook): boolean {
  for (const path of paths) if (judgeFile(book, "fs.read", path, tracked) === "deny") return true
  return false
}

// Rules for untracked files do not meet these.
const tracked = { isTracked: () => true }
