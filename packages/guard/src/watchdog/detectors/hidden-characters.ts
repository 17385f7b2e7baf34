import { conceals } from "@haft/contract"
import { codeWords, firstHidden } from "../hidden-character.js"
import { firstLookalike } from "../lookalike.js"
import type { Detector, DetectorVerdict, WatchdogRequest } from "../detector.js"

/** Asks when arguments hold characters that make a person see something else than what runs. */
export const hiddenCharacters: Detector = {
  id: "hidden-characters",
  about:
    "Invisible or direction-changing characters and letters that only look Latin in paths, commands, addresses and names; direction overrides and hidden text in content",
  inspect,
}

const allow: DetectorVerdict = { verdict: "allow" }

// Text that is stored or searched may hold nearly anything; what it replaces may even be the bad character itself.
const contentKeys = new Set([
  "content",
  "new_string",
  "body",
  "text",
  "patch",
  "diff",
  "message",
  "prompt",
  "pattern",
  "query",
])
const replacedKeys = new Set(["old_string"])

const maxDepth = 8

function inspect({ arguments: values }: WatchdogRequest): DetectorVerdict {
  const found = findIn(values, "", 0)
  if (!found) return allow
  return { verdict: "ask", reason: `the argument "${found.key}" holds ${found.what}` }
}

interface Found {
  readonly key: string
  readonly what: string
}

function findIn(value: unknown, key: string, depth: number): Found | undefined {
  if (typeof value === "string") return findInText(value, key)
  if (typeof value !== "object" || value === null) return undefined
  if (depth >= maxDepth) return { key, what: "a structure too deep to look through" }
  if (Array.isArray(value)) {
    for (const entry of value) {
      const found = findIn(entry, key, depth + 1)
      if (found) return found
    }
    return undefined
  }
  for (const name in value) {
    const found = findIn((value as Record<string, unknown>)[name], name, depth + 1)
    if (found) return found
  }
  return undefined
}

function findInText(text: string, key: string): Found | undefined {
  if (replacedKeys.has(key)) return undefined
  const isContent = contentKeys.has(key)
  const code = isContent ? misleadingIn(text) : firstHidden(text)
  if (code !== undefined) return { key, what: `${codeWords(code)}, which a person does not see` }
  if (isContent) return isConcealed(text) ? { key, what: "ESC[8m, which hides text on a terminal" } : undefined
  const found = firstLookalike(text)
  return (
    found && { key, what: `"${found.word}", in which ${found.letter} is ${codeWords(found.code)} and no Latin letter` }
  )
}

function isConcealed(text: string): boolean {
  for (const [, parameters] of text.matchAll(/(?:\x1b\[|\x9b)([0-9;]*)m/g)) {
    if (conceals(parameters!)) return true
  }
  return false
}

const directions = /[\u202a-\u202e\u2066-\u2069\n]/g
const anyDirection = /[\u202a-\u202e\u2066-\u2069]/

/** Overrides reverse what is read; embeddings and isolates do harm only when their line ends before they do. */
function misleadingIn(text: string): number | undefined {
  if (!anyDirection.test(text)) return undefined
  const open: number[] = []
  for (const [character] of text.matchAll(directions)) {
    const code = character.charCodeAt(0)
    if (code === 0x202d || code === 0x202e) return code
    if (code === 0x0a) {
      if (open.length > 0) return open[0]
    } else if (code === 0x202c || code === 0x2069) {
      open.pop()
    } else {
      open.push(code)
    }
  }
  return open[0]
}
