/** The parts of an absolute path; none for the root. */
export function partsOf(path: string): readonly string[] {
  return path.split("/").filter((part) => part !== "")
}

/** The last part of an absolute path. */
export function nameOf(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1)
}
