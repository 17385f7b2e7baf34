/**
 * Whether a path is a folder or is below it, compared by whole parts; both are normalised and begin at the
 * same place, links followed where that matters. The one place that decides this: grants, masks and mounts all rest on it.
 */
export function isInside(path: string, folder: string): boolean {
  if (!path.startsWith(folder)) return false
  // A backslash separates where paths begin with a drive or a server, and is a letter like any other elsewhere.
  const separator = hasDrive(folder) ? backslash : slash
  const { length } = folder
  return path.length === length || path.charCodeAt(length) === separator || folder.charCodeAt(length - 1) === separator
}

/** The same without the folder itself. */
export function isBelow(path: string, folder: string): boolean {
  return path.length > folder.length && isInside(path, folder)
}

function hasDrive(path: string): boolean {
  return path.charCodeAt(0) !== slash && /^(?:[A-Za-z]:|\\)\\/.test(path)
}

const slash = 47
const backslash = 92

/** Whether an absolute path is one of Windows, where programs start otherwise. */
export function isWindowsPath(path: string): boolean {
  return /^(?:[A-Za-z]:[\\/]|\\\\)/.test(path)
}
