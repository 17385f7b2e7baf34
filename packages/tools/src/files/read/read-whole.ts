import { type OpenFile, ToolError } from "@haft/contract"

/** All bytes of an open file, for kinds that cannot be read in parts; `too_large` above `maxBytes`. */
export async function readWhole(
  file: OpenFile,
  { path, maxBytes }: { readonly path: string; readonly maxBytes: number },
): Promise<Uint8Array> {
  if (file.size <= maxBytes) return file.whole ?? file.read(0, file.size)
  throw new ToolError(
    "too_large",
    `Cannot read "${path}": it has ${file.size} bytes, and files of its kind are read up to ${maxBytes}; make it smaller first`,
    { details: { size: file.size, limit: maxBytes } },
  )
}
