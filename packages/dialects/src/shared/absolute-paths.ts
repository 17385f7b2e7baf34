import type { FileReader } from "@haft/contract"

/** Makes paths absolute that a search shows relative to the working directory. */
export async function absolutePaths(files: Pick<FileReader, "locate">): Promise<(path: string) => string> {
  const { absolute: directory } = await files.locate(".")
  const base = directory.endsWith("/") ? directory : `${directory}/`
  return (path) => (/^(?:\/|[A-Za-z]:[\\/])/.test(path) ? path : `${base}${path}`)
}
