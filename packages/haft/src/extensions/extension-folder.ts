import { createHash } from "node:crypto"
import { lstatSync, readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { ToolError } from "@haft/contract"
import { type ExtensionManifest, readManifest } from "@haft/extensions"

/** The files of an extension, as they are now. */
export interface ExtensionFolder {
  readonly manifest: ExtensionManifest
  /** Paths below the folder, sorted. */
  readonly files: readonly string[]
  /** Tells these files from any others. */
  readonly digest: string
}

const maxFiles = 500
const maxBytes = 20 * 1024 * 1024

/** Reads the folder of an extension; runs nothing. Links and anything else that is no file are refused. */
export function readExtension(folder: string): ExtensionFolder {
  const files: string[] = []
  let bytes = 0
  const walk = (below: string) => {
    for (const name of listed(join(folder, below), folder)) {
      const path = below === "" ? name : `${below}/${name}`
      const stats = lstatSync(join(folder, path))
      if (stats.isDirectory()) walk(path)
      else if (!stats.isFile()) throw refused(folder, `"${path}" is no regular file`)
      else {
        files.push(path)
        bytes += stats.size
      }
      if (files.length > maxFiles) throw refused(folder, `it has more than ${maxFiles} files`)
      if (bytes > maxBytes) throw refused(folder, `it is larger than ${maxBytes} bytes`)
    }
  }
  walk("")
  if (!files.includes("manifest.json")) throw refused(folder, "it has no manifest.json")
  const hash = createHash("sha256")
  for (const path of files) {
    const content = readFileSync(join(folder, path))
    hash.update(`${path}\0${content.length}\0`).update(content)
  }
  const manifest = readManifest(readFileSync(join(folder, "manifest.json"), "utf8"))
  if (!files.includes(manifest.worker)) throw refused(folder, `its worker "${manifest.worker}" is missing`)
  return { manifest, files, digest: hash.digest("hex") }
}

function listed(path: string, folder: string): readonly string[] {
  try {
    return readdirSync(path).sort()
  } catch (error) {
    throw refused(folder, `it cannot be read (${(error as NodeJS.ErrnoException).code})`)
  }
}

function refused(folder: string, reason: string): ToolError {
  return new ToolError("invalid_args", `Cannot use "${folder}" as an extension: ${reason}`, {
    hint: "An extension is a folder with a manifest.json and a worker",
  })
}
