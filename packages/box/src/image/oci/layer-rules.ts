/** Decides which entries of lower layers the upper ones let through. */
export interface LayerRules {
  /** Whether an entry of the present layer is still there in the end. */
  isKept(path: string): boolean
  /** Notes an entry of the present layer; holds for the layers below it. */
  note(path: string, isFolder: boolean): void
  /** Goes on with the layer below. */
  below(): void
}

const whiteout = ".wh."
const opaque = ".wh..wh..opq"

/** The rules of layered file systems, from the uppermost layer down. */
export function createLayerRules(): LayerRules {
  const gone = { paths: new Set<string>(), trees: new Set<string>() }
  let noted: (() => void)[] = []
  return {
    isKept(path) {
      if (nameOf(path).startsWith(whiteout)) return false
      if (gone.paths.has(path)) return false
      return !foldersOf(path).some((folder) => gone.trees.has(folder))
    },
    note(path, isFolder) {
      const [folder, name] = [folderOf(path), nameOf(path)]
      if (name === opaque) noted.push(() => gone.trees.add(folder))
      else if (name.startsWith(whiteout)) {
        const removed = folder === "" ? name.slice(whiteout.length) : `${folder}/${name.slice(whiteout.length)}`
        noted.push(() => gone.paths.add(removed) && gone.trees.add(removed))
      } else {
        // A file in the place of a folder takes all that was in it.
        noted.push(() => gone.paths.add(path) && !isFolder && gone.trees.add(path))
      }
    },
    below() {
      for (const apply of noted) apply()
      noted = []
    },
  }
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1)
}

function folderOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf("/")))
}

/** The folders above a path, the root among them. */
function foldersOf(path: string): readonly string[] {
  const folders = [""]
  for (let at = path.indexOf("/"); at >= 0; at = path.indexOf("/", at + 1)) folders.push(path.slice(0, at))
  return folders
}
