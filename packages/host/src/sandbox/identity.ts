import { statSync } from "node:fs"

/** Who a confined command is. */
export type Identity =
  /** The user that started Haft, in a user namespace. */
  | { readonly kind: "self"; readonly uid: number; readonly gid: number }
  /** User 0 without capabilities: the root directory belongs to it. */
  | { readonly kind: "root" }
  /** Haft runs as user 0; the command becomes the owner of the root directory. */
  | { readonly kind: "owner"; readonly uid: number; readonly gid: number }

/** As an ordinary user oneself; as user 0 whoever owns the root directory. */
export function chooseIdentity(root: string, canBecome: boolean): Identity {
  const uid = process.getuid?.() ?? -1
  if (uid !== 0) return { kind: "self", uid, gid: process.getgid?.() ?? -1 }
  const owner = statSync(root, { throwIfNoEntry: false })
  if (!canBecome || !owner || owner.uid === 0) return { kind: "root" }
  return { kind: "owner", uid: owner.uid, gid: owner.gid }
}
