import { isTree } from "./kept-tree.js"

/** Stands in an effect for an empty folder, where a file has the hash of its content. */
export const folderIdentity = "folder"

/** Stands in an effect for a pipe, a socket or a device: an undo can take it away, and never make it. */
export const specialIdentity = "special"

const linkMark = "link:"

/** Stands in an effect for a symbolic link: its text is all that there is of it. No hash begins like this. */
export function linkIdentity(text: string): string {
  return `${linkMark}${text}`
}

/** The text of the link that an identity describes; undefined when it describes something else. */
export function linkTextOf(identity: string | null): string | undefined {
  return identity?.startsWith(linkMark) ? identity.slice(linkMark.length) : undefined
}

/** Whether the history must hold the content of what an identity describes. */
export function hasContent(identity: string | null): identity is string {
  if (identity === null || identity === folderIdentity || identity === specialIdentity || isTree(identity)) return false
  return linkTextOf(identity) === undefined
}
