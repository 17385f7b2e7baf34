/** Visits a tree without recursion: the depth of a page is its author's choice, the stack of a thread is not. */
export const walkSource = String.raw`
/** Calls enter before the children of a node and leave after them; false from enter passes the node over, leave included. */
function walk(root, enter, leave = () => {}) {
  let node = root
  for (;;) {
    let entered = enter(node) !== false
    const child = entered && node.nodeType !== textNode ? node.firstChild : null
    if (child) {
      node = child
      continue
    }
    for (;;) {
      if (entered) leave(node)
      entered = true
      if (node === root) return
      const next = node.nextSibling
      if (next) {
        node = next
        break
      }
      node = node.parentNode
    }
  }
}

const elementNode = 1
const textNode = 3

/** Runs of blanks become one; no-break spaces are blanks too, and what is invisible within words goes. */
function collapse(text) {
  if (!/[^\S ]|  |[\u00ad\u200b\u2060]/.test(text)) return text
  return text.replace(/[\u00ad\u200b\u2060\ufeff]+/g, "").replace(/[\s\u00a0]+/g, " ")
}

/** All text below a node as it stands, a line break for each br. */
function textBelow(root, passOver = () => false) {
  const parts = []
  walk(root, (node) => {
    if (node.nodeType === textNode) parts.push(node.data)
    else if (node.nodeType === elementNode) {
      if (node.localName === "br") parts.push("\n")
      if (passOver(node)) return false
    }
  })
  return parts.join("")
}
`
