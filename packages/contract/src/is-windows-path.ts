/** Whether an absolute path is one of Windows, where programs start otherwise. */
export function isWindowsPath(path: string): boolean {
  return /^(?:[A-Za-z]:[\\/]|\\\\)/.test(path)
}
