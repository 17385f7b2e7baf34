import { isInside, ToolError } from "@haft/contract"

/** A file for the guest at its final place. */
export interface GuestFile {
  /** From the root of the guest, without the leading slash. */
  readonly path: string
  readonly content: Uint8Array
}

/** The most that one run may bring with it. */
export const fileLimits = {
  count: 1000,
  totalBytes: 16 * 1024 * 1024,
  pathBytes: 1024,
  nameBytes: 255,
  depth: 32,
} as const

/** Where relative paths land and the command starts. */
const workFolder = "work"

// The kernel's own trees, and what the machine uses to hand over the command.
const closedFolders = ["proc", "sys", "dev", "run/box", "run/.unpack"]

/** The files of a request at their places in the guest. Anything doubtful is refused before a machine starts. */
export function checkFiles(files: Readonly<Record<string, string>>): readonly GuestFile[] {
  const names = Object.keys(files)
  if (names.length > fileLimits.count)
    throw filesRefused("files", `there are ${names.length}, and ${fileLimits.count} fit`)
  const placed = new Map<string, GuestFile & { readonly name: string }>()
  let totalBytes = 0
  for (const name of names) {
    const path = placeOf(name)
    if (placed.has(path)) throw filesRefused(name, "another key names the same file")
    const content = new TextEncoder().encode(files[name])
    totalBytes += content.length
    if (totalBytes > fileLimits.totalBytes) {
      throw filesRefused(name, `the files are larger than ${fileLimits.totalBytes} bytes together`)
    }
    placed.set(path, { path, content, name })
  }
  for (const { path, name } of placed.values()) {
    const file = parentsOf(path).flatMap((parent) => placed.get(parent) ?? [])[0]
    if (file !== undefined) throw filesRefused(name, `"${file.name}" is a file`)
  }
  return [...placed.values()].map(({ path, content }) => ({ path, content }))
}

/** The folders above a path, outermost first. */
export function parentsOf(path: string): readonly string[] {
  const parts = path.split("/").slice(0, -1)
  return parts.map((_, index) => parts.slice(0, index + 1).join("/"))
}

function placeOf(name: string): string {
  if (/[\0-\x1f\x7f]/.test(name)) throw filesRefused(name, "it holds a control character")
  if (!name.isWellFormed()) throw filesRefused(name, "it is no valid text")
  if (name.endsWith("/")) throw filesRefused(name, "it names a folder")
  const parts = name.split("/").filter((part) => part !== "" && part !== ".")
  if (parts.includes("..")) throw filesRefused(name, 'it holds ".."')
  if (parts.length === 0) throw filesRefused(name, "it names no file")
  const path = (name.startsWith("/") ? parts : [workFolder, ...parts]).join("/")
  if (byteLength(path) > fileLimits.pathBytes)
    throw filesRefused(name, `it is longer than ${fileLimits.pathBytes} bytes`)
  if (parts.some((part) => byteLength(part) > fileLimits.nameBytes)) {
    throw filesRefused(name, `a part of it is longer than ${fileLimits.nameBytes} bytes`)
  }
  if (parts.length > fileLimits.depth) throw filesRefused(name, `it is deeper than ${fileLimits.depth} folders`)
  const closed = closedFolders.find((folder) => isInside(path, folder))
  if (closed !== undefined) throw filesRefused(name, `"/${closed}" belongs to the machine`)
  return path
}

function byteLength(text: string): number {
  return new TextEncoder().encode(text).length
}

/** The refusal of files that cannot be put into a box. */
export function filesRefused(name: string, reason: string): ToolError {
  return new ToolError("invalid_args", `Cannot put "${name.slice(0, 200)}" into the box: ${reason}`, {
    hint: "Use paths such as script.py or /sandbox/script.py",
    details: { ok: false, reason: "BOX_FILES_REFUSED", file: name.slice(0, 200), ran: false },
  })
}
