/** A node of a parsed page, with what the jobs use of it. */
export interface PageNode {
  readonly nodeType: number
  readonly firstChild: PageNode | null
  readonly nextSibling: PageNode | null
  readonly previousSibling: PageNode | null
  readonly parentNode: PageNode | null
  readonly childNodes: Iterable<PageNode>
}

export interface PageText extends PageNode {
  readonly data: string
}

export interface PageElement extends PageNode {
  readonly localName: string
  readonly id: string
  getAttribute(name: string): string | null
  hasAttribute(name: string): boolean
  querySelector(selector: string): PageElement | null
}

export interface PageDocument extends PageNode {
  readonly documentElement: PageElement | null
  querySelector(selector: string): PageElement | null
  querySelectorAll(selector: string): Iterable<PageElement>
}

export function isElement(node: PageNode): node is PageElement {
  return node.nodeType === 1
}

export function isText(node: PageNode): node is PageText {
  return node.nodeType === 3
}

/** Parses a page. Only one that went through preparePage is small and flat enough for it. */
export async function parsePage(html: string): Promise<PageDocument> {
  const { parseHTML } = await import("linkedom")
  const { document }: { readonly document: PageDocument } = parseHTML(html)
  return document
}

/**
 * Visits a tree without recursion: the depth of a page is its author's choice, the stack of a thread is not. Calls enter
 * before the children of a node and leave after them; false from enter passes the node over, leave included.
 */
export function walk(
  root: PageNode,
  enter: (node: PageNode) => boolean,
  leave: (node: PageNode) => void = () => undefined,
): void {
  let node = root
  for (;;) {
    let entered = enter(node)
    const child = entered && !isText(node) ? node.firstChild : null
    if (child) {
      node = child
      continue
    }
    for (;;) {
      if (entered) leave(node)
      entered = true
      if (node === root) return
      const next: PageNode | null = node.nextSibling
      if (next) {
        node = next
        break
      }
      // Below the root every node has a parent.
      node = node.parentNode ?? root
    }
  }
}

/** Runs of blanks become one; no-break spaces are blanks too, and what is invisible within words goes. */
export function collapse(text: string): string {
  if (!/[^\S ]| {2}|[\u00ad\u200b\u2060]/.test(text)) return text
  return text.replace(/[\u00ad\u200b\u2060\ufeff]+/g, "").replace(/[\s\u00a0]+/g, " ")
}

/** All text below a node as it is, a line break for each br. */
export function textBelow(root: PageNode, passOver: (element: PageElement) => boolean = () => false): string {
  const parts: string[] = []
  walk(root, (node) => {
    if (isText(node)) parts.push(node.data)
    if (!isElement(node)) return true
    if (node.localName === "br") parts.push("\n")
    return !passOver(node)
  })
  return parts.join("")
}
