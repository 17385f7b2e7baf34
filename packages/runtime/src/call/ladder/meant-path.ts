import { isWindowsPath, ToolError } from "@haft/contract"

/** Where a path that a model sent is looked up. */
export interface PathWorld {
  /** The home of the user; absolute. */
  readonly home: string
  /** Whether something is there under this name, or could be for all that may be told: no path outside is looked at. */
  isThere(path: string): Promise<boolean>
}

// Blanks and quotes around it, ~, @, $HOME, file:, C:\ and backslashes; every other path means what it says.
const odd = /^[\s"'`~@$]|^file:\/|^[A-Za-z]:[\\/]|\\|[\s"'`]$/i

// No system opens a longer one; each reading of it costs a look.
const maxPathUnits = 4_096

/** Whether a path may mean another one than it says; most do not, and need no look. */
export function isOddPath(path: string): boolean {
  return path.length <= maxPathUnits && odd.test(path) && path.trim() !== "" && !path.includes("\0")
}

/**
 * The path that a model means: the home for `~`, a file URL as a path, a mention without its `@`, quotes and blanks around
 * it left out. What exists as it is written wins. A path of Windows, and a URL of another machine, are `invalid_args`.
 */
export async function meantPath(path: string, world: PathWorld): Promise<string> {
  // On Windows backslashes and drives are what paths are made of.
  if (!isOddPath(path) || isWindowsPath(world.home)) return path
  if (await isWritten(path, world)) return path
  const bare = unwrapped(path)
  if (bare !== path) return meantPath(bare, world)
  const below = /^(?:~|\$HOME|\$\{HOME\})(\/.*)?$/s.exec(path)
  if (below) return world.home + (below[1] ?? "")
  if (/^file:\//i.test(path)) return fromFileUrl(path)
  if (isWindowsPath(path)) throw unusable(path, "it is a path of Windows, and this machine has none")
  if (/^@[^@]/.test(path)) return mentioned(path, world)
  return path.includes("\\") ? withoutBackslashes(path, world) : path
}

/** Whether the path itself is there, or the oddly named folder that it begins with: a new file may be made in it. */
async function isWritten(path: string, world: PathWorld): Promise<boolean> {
  if (await world.isThere(path)) return true
  const [head = ""] = path.split("/", 1)
  return head !== path && isOddPath(`${head}/`) && world.isThere(head)
}

function unwrapped(path: string): string {
  let bare = path.trim()
  for (let inner = quotedIn(bare); inner !== ""; inner = quotedIn(bare)) bare = inner
  return bare
}

function quotedIn(text: string): string {
  return /^(["'`])(.+)\1$/s.exec(text)?.[2]?.trim() ?? ""
}

function fromFileUrl(path: string): string {
  if (!URL.canParse(path)) throw unusable(path, "it is no valid URL")
  const { host, pathname } = new URL(path)
  if (host !== "") throw unusable(path, `its URL names the host "${host}"`)
  if (/%2f/i.test(pathname)) throw unusable(path, "it has an encoded slash in a name")
  const decoded = decodedPath(path, pathname)
  if (isWindowsPath(decoded.slice(1))) throw unusable(path, "it is a path of Windows, and this machine has none")
  return decoded
}

function decodedPath(path: string, pathname: string): string {
  try {
    return decodeURIComponent(pathname)
  } catch {
    throw unusable(path, "a percent sign in a URL is followed by two digits of a byte in UTF-8")
  }
}

/** `@src/a.ts` is how people point at a file; a new name that begins with @, such as that of a package, stays. */
async function mentioned(path: string, world: PathWorld): Promise<string> {
  const named = await meantPath(path.slice(1), world)
  return (await world.isThere(named)) ? named : path
}

/** Backslashes between names are those of Windows, before blanks and brackets those of a shell. */
async function withoutBackslashes(path: string, world: PathWorld): Promise<string> {
  const unescaped = path.replace(/\\([ ()[\]{}&'"`$!;*?<>|#~@\\])/g, "$1")
  if (unescaped !== path && (await world.isThere(unescaped))) return unescaped
  const slashed = path.replaceAll("\\", "/")
  const [head = ""] = slashed.split("/", 1)
  return head !== "" && (await world.isThere(head)) ? slashed : path
}

function unusable(path: string, reason: string): ToolError {
  return new ToolError("invalid_args", `Cannot use the path "${path}": ${reason}`, {
    hint: "Send a plain path, relative to the working directory or from / on",
  })
}
