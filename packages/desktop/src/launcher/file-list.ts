import { realpath } from "node:fs/promises"
import { basename, join } from "node:path"
import { bestEffort } from "@haft/contract"
import { createYield, listFiles } from "@haft/host"
import { createItemTable, type IndexedItem, type ItemTable } from "./match/item-table.js"
import { foldText, prepareText } from "./match/prepare.js"

/** The recent files of some folders. */
export interface FileList {
  read(signal: AbortSignal): Promise<ItemTable>
}

/** Lists the files of the roots; while no file comes or goes the table stays the same. */
export function createFileList(roots: readonly string[], maxFiles: number): FileList {
  let known = new Map<string, IndexedItem>()
  let table: ItemTable | undefined
  return {
    async read(signal) {
      const now = new Map<string, IndexedItem>()
      const yieldToLoop = createYield()
      let isNew = false
      for (const [index, root] of roots.entries()) {
        const base = await bestEffort("other roots are listed all the same", realpath(root))
        if (base === undefined) continue
        const listed =
          (await bestEffort(
            "a root that cannot be listed must not hide other items",
            listFiles(base, { maxFiles: maxFiles - now.size, signal }),
          )) ?? []
        for (const relative of listed) {
          await yieldToLoop()
          const path = join(base, relative)
          const before = known.get(path)
          if (before === undefined) isNew = true
          // In the first root by the path that tools take as it is; elsewhere only the whole path is unique.
          now.set(path, before ?? itemOf(index === 0 ? relative : path, path))
        }
      }
      if (table === undefined || isNew || now.size !== known.size) table = await createItemTable(now.values())
      known = now
      return table
    },
  }
}

function itemOf(shown: string, path: string): IndexedItem {
  const name = basename(path)
  const texts = [prepareText(shown, shown.length - name.length)]
  return { id: `file_${shown}`, name, type: "file", order: foldText(name), texts, path }
}
