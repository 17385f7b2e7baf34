import { useState } from "react"
import { useSay } from "../words/say.js"
import { PlainText } from "./PlainText.js"

interface Folder {
  readonly folders: Map<string, Folder>
  readonly files: string[]
}

const maxShown = 300

/** Paths as a tree of folders. */
export function PathTree({ paths }: { readonly paths: readonly string[] }) {
  const say = useSay()
  const [shown, setShown] = useState(maxShown)
  const root = treeOf(paths.slice(0, shown))
  return (
    <div className="haft-tree">
      <FolderList folder={root} depth={0} />
      {paths.length > shown && (
        <button type="button" className="haft-link" onClick={() => setShown(shown + 1000)}>
          {say("moreEntries", { n: paths.length - shown })}
        </button>
      )}
    </div>
  )
}

const maxDepth = 40

function treeOf(paths: readonly string[]): Folder {
  const root: Folder = { folders: new Map(), files: [] }
  for (const path of paths) {
    const parts = path.split("/")
    const name = parts.slice(maxDepth - 1).join("/") || parts.pop()!
    let folder = root
    for (const part of parts.slice(0, Math.min(parts.length, maxDepth - 1))) {
      const next = folder.folders.get(part) ?? { folders: new Map(), files: [] }
      folder.folders.set(part, next)
      folder = next
    }
    if (name !== "") folder.files.push(name)
  }
  return root
}

function FolderList({ folder, depth }: { readonly folder: Folder; readonly depth: number }) {
  return (
    <ul>
      {[...folder.folders].map(([name, inner]) => (
        <FolderItem key={name} name={name} folder={inner} depth={depth} />
      ))}
      {folder.files.map((name, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: one path may be listed twice.
        <li key={index}>
          <PlainText text={name} max={300} />
        </li>
      ))}
    </ul>
  )
}

/** A folder with nothing but one folder is drawn on one line with it. */
function FolderItem({
  name,
  folder,
  depth,
}: {
  readonly name: string
  readonly folder: Folder
  readonly depth: number
}) {
  const [only] = folder.folders
  if (only !== undefined && folder.folders.size === 1 && folder.files.length === 0) {
    return <FolderItem name={`${name}/${only[0]}`} folder={only[1]} depth={depth} />
  }
  return (
    <li>
      <details open={depth < 3}>
        <summary>
          <PlainText text={`${name}/`} max={300} />
        </summary>
        <FolderList folder={folder} depth={depth + 1} />
      </details>
    </li>
  )
}
