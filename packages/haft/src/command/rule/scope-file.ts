import { join } from "node:path"
import { answersFile } from "../../config/answers-file.js"
import type { EditedFile } from "../../config/edit-config-file.js"
import type { Setup } from "../setup.js"

/** The file of a scope: the user's own, the answers for this folder, or one of the folder's. */
export function scopeFile(scope: string, { places, roots }: Setup): EditedFile {
  const [root] = roots
  if (scope === "answers") return { path: answersFile(places.configHome, root!), scope }
  if (scope === "project") return { path: join(root!, "haft.jsonc"), scope }
  if (scope === "local") return { path: join(root!, "haft.local.jsonc"), scope }
  return { path: places.userFile, scope: "user" }
}
