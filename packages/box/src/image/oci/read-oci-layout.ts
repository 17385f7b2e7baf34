import { readFile } from "node:fs/promises"
import { join } from "node:path"
import { bestEffort, ToolError } from "@haft/contract"
import { describeFile } from "../image.js"

/** Something that a layout names by its content. */
interface Descriptor {
  readonly digest?: string
  readonly platform?: { readonly os?: string; readonly architecture?: string }
}

/** The files of an image's layers in an OCI layout, lowest first; each is what its digest says. */
export async function readOciLayout(folder: string): Promise<readonly string[]> {
  const index = await readDocument(folder, join(folder, "index.json"))
  const manifest = await findManifest(folder, index, 0)
  const layers = listOf(manifest.layers)
  if (layers.length === 0) throw notLayout(folder, "its image has no layers")
  return Promise.all(layers.map((layer) => checkedBlob(folder, layer)))
}

// An index of indexes is legal; a chain of them without an end is not.
const mostLevels = 4

async function findManifest(
  folder: string,
  document: Readonly<Record<string, unknown>>,
  level: number,
): Promise<Readonly<Record<string, unknown>>> {
  if (document.layers !== undefined) return document
  const fitting = listOf(document.manifests).filter(fitsThisMachine)
  const [first] = fitting
  if (first === undefined || level >= mostLevels) throw notLayout(folder, "it has no image for linux on amd64")
  if (fitting.length > 1)
    throw notLayout(folder, "it holds several images; copy the wanted one into a layout of its own")
  return findManifest(folder, await readDocument(folder, await checkedBlob(folder, first)), level + 1)
}

function fitsThisMachine({ platform }: Descriptor): boolean {
  if (platform === undefined) return true
  return platform.os === "linux" && platform.architecture === "amd64"
}

async function checkedBlob(folder: string, { digest = "" }: Descriptor): Promise<string> {
  const hash = /^sha256:([0-9a-f]{64})$/.exec(digest)?.[1]
  if (hash === undefined) throw notLayout(folder, `"${digest.slice(0, 100)}" is no SHA-256 digest`)
  const path = join(folder, "blobs", "sha256", hash)
  const facts = await bestEffort("the error below names the digest", describeFile(path))
  if (facts === undefined) throw notLayout(folder, `"${digest}" is missing`)
  if (facts.sha256 !== hash) throw notLayout(folder, `"${digest}" has another content`)
  return path
}

async function readDocument(folder: string, path: string): Promise<Readonly<Record<string, unknown>>> {
  const reading = async (): Promise<unknown> => JSON.parse(await readFile(path, "utf8"))
  const value = await bestEffort("the error below names the document", reading)
  if (typeof value === "object" && value !== null) return value as Readonly<Record<string, unknown>>
  throw notLayout(folder, `"${path}" cannot be read`)
}

function listOf(value: unknown): readonly Descriptor[] {
  if (!Array.isArray(value)) return []
  return value.filter((each): each is Descriptor => typeof each === "object" && each !== null)
}

function notLayout(folder: string, reason: string): ToolError {
  return new ToolError("invalid_args", `Cannot import "${folder}": ${reason}`, {
    hint: "Name a tar archive of a root file system, or the folder of an OCI layout",
  })
}
