import { createHash } from "node:crypto"
import { join } from "node:path"
import { type FolderIdentity, folderIdentity } from "../trust/folder-identity.js"

/** The file with what the user answered for a folder; another folder at the same path has another file. */
export function answersFile(configHome: string, root: string): string {
  return join(configHome, "projects", `${projectId(folderIdentity(root))}.jsonc`)
}

function projectId({ path, device, inode }: FolderIdentity): string {
  return createHash("sha256").update(`${path}\0${device}\0${inode}`).digest("hex").slice(0, 20)
}
