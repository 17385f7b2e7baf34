import { join, parse, resolve, sep } from "node:path"
import { lstat, readlink, realpath } from "../system/file-call.js"
import { attempt, type Program } from "../system/program.js"
import { maxLinks } from "./walk.js"

/**
 * The path with every link followed; of a missing path the existing part resolved, plus the rest. Also follows a link
 * whose target is missing. For judging and for finding a root; never for opening.
 */
export function* resolveLinks(absolute: string): Program<string> {
  try {
    return yield* realpath(absolute)
  } catch {
    return yield* resolvePartByPart(absolute)
  }
}

/** The same where some paths are in another place than they say; resolves to that place. */
export function* resolvePlaces(absolute: string, placeOf: (path: string) => string): Program<string> {
  return placeOf(yield* resolvePartByPart(absolute, placeOf))
}

function* resolvePartByPart(absolute: string, placeOf = (path: string) => path): Program<string> {
  let { root: resolved } = parse(absolute)
  let remaining = partsOf(absolute)
  for (let links = 0; remaining.length > 0; ) {
    const [name, ...rest] = remaining as [string, ...string[]]
    const next = join(resolved, name)
    const text = yield* linkText(placeOf(next))
    if (text === undefined) {
      resolved = next
      remaining = rest
      continue
    }
    if (++links > maxLinks) return join(next, ...rest)
    const target = resolve(resolved, text)
    resolved = parse(target).root
    remaining = [...partsOf(target), ...rest]
  }
  return resolved
}

function* linkText(path: string): Program<string | undefined> {
  const reason = "a path that cannot be looked at is judged by its spelling"
  const facts = yield* attempt(reason, lstat(path))
  return facts?.isSymbolicLink() ? yield* attempt(reason, readlink(path)) : undefined
}

function partsOf(absolute: string): string[] {
  return absolute
    .slice(parse(absolute).root.length)
    .split(sep)
    .filter((part) => part !== "")
}
