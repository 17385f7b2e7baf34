/** Whether a path is a folder or lies below it, compared by whole parts. Both are absolute and normalised. */
export function isInside(path: string, folder: string): boolean {
  if (!path.startsWith(folder)) return false
  return path.length === folder.length || folder === "/" || path.charCodeAt(folder.length) === slash
}

const slash = 47
