// A tree is a first look: these many lines fit on a few screens, and a flat folder cannot use them all up.
const maxLines = 200
const maxDepth = 6
const maxFilesShown = 20

interface Folder {
  readonly name: string
  readonly folders: Map<string, Folder>
  readonly files: string[]
  /** Files in it and below it. */
  count: number
}

/**
 * A short tree of files: folders first, each with the number of files in it. Folders are opened level by level while
 * lines are left, so that the upper levels are always seen; what stays closed still says how much is in it.
 */
export function drawTree(paths: readonly string[]): string {
  const root = treeOf(paths)
  return lines(root, openedIn(root), "").join("\n")
}

function treeOf(paths: readonly string[]): Folder {
  const root = emptyFolder("")
  for (const path of paths) {
    const parts = path.split("/")
    const file = parts.pop()!
    let folder = root
    folder.count += 1
    for (const part of parts) {
      let inner = folder.folders.get(part)
      if (inner === undefined) {
        inner = emptyFolder(part)
        folder.folders.set(part, inner)
      }
      folder = inner
      folder.count += 1
    }
    folder.files.push(file)
  }
  return root
}

function emptyFolder(name: string): Folder {
  return { name, folders: new Map(), files: [], count: 0 }
}

/** The folders whose content is shown. */
function openedIn(root: Folder): ReadonlySet<Folder> {
  const opened = new Set([root])
  let left = maxLines - linesWithin(root)
  let level: readonly Folder[] = [root]
  for (let depth = 1; depth < maxDepth && level.length > 0; depth += 1) {
    const inner = level.flatMap(({ folders }) => [...folders.values()])
    // The small ones first: they tell most for a line.
    const bySize = [...inner].sort((one, other) => linesWithin(one) - linesWithin(other))
    for (const folder of bySize) {
      if (linesWithin(folder) > left) break
      left -= linesWithin(folder)
      opened.add(folder)
    }
    level = inner.filter((folder) => opened.has(folder))
  }
  return opened
}

function linesWithin({ folders, files }: Folder): number {
  return folders.size + Math.min(files.length, maxFilesShown + 1)
}

function lines(folder: Folder, opened: ReadonlySet<Folder>, indent: string): readonly string[] {
  const rest = folder.files.length - maxFilesShown
  // One more line for one more file would save nothing.
  const shown = rest > 1 ? folder.files.slice(0, maxFilesShown) : folder.files
  const folders = [...folder.folders.values()]
  const kept = indent === "" ? folders.slice(0, maxLines) : folders
  return [
    ...kept.flatMap((inner) => [
      `${indent}${onOneLine(inner.name)}/ (${inner.count})`,
      ...(opened.has(inner) ? lines(inner, opened, `${indent}  `) : []),
    ]),
    ...(kept.length < folders.length ? [`${indent}... ${folders.length - kept.length} more folders`] : []),
    ...shown.map((file) => `${indent}${onOneLine(file)}`),
    ...(shown.length < folder.files.length ? [`${indent}... ${folder.files.length - shown.length} more files`] : []),
  ]
}

/** A name that holds line breaks would look like several. */
function onOneLine(name: string): string {
  return /[\n\r]/.test(name) ? JSON.stringify(name) : name
}
