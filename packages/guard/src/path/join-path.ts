/** The absolute, normalised path that a path means when it is used in a folder. Links are not followed. */
export function joinPath(folder: string, path: string): string {
  const parts: string[] = []
  for (const part of (path.startsWith("/") ? path : `${folder}/${path}`).split("/")) {
    if (part === "..") parts.pop()
    else if (part !== "" && part !== ".") parts.push(part)
  }
  return `/${parts.join("/")}`
}
