/** A path as it is called in the directory of its session. */
export function shortPath(path: string, directory: string | undefined): string {
  return directory !== undefined && path.startsWith(`${directory}/`) ? path.slice(directory.length + 1) : path
}
