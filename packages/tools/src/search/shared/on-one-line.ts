/** A path as one line: one that holds line breaks would look like several. */
export function onOneLine(path: string): string {
  return /[\n\r]/.test(path) ? JSON.stringify(path) : path
}
