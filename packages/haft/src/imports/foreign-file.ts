import { ToolError } from "@haft/contract"
import { type Node, type ParseError, parseTree, printParseErrorCode } from "jsonc-parser"
import { readTextFile } from "../config/read-text-file.js"

/** A settings file of another program. */
export interface ForeignPlace {
  readonly path: string
  /** How people call it, for instance `~/.claude/settings.json`. */
  readonly name: string
  /** True for a file of the user alone; its rules do not belong into a file that others get. */
  readonly personal: boolean
}

/** Something in a file that cannot be used; nothing is taken from a file with one. */
export interface ForeignProblem {
  readonly file: string
  readonly line: number
  readonly reason: string
}

/** Reads a file; a problem instead of a throw, so that one broken file does not hide the others. */
export function readForeign(place: ForeignPlace): string | undefined | ForeignProblem {
  try {
    return readTextFile(place.path)
  } catch (error) {
    if (!ToolError.is(error)) throw error
    return { file: place.name, line: 1, reason: error.message }
  }
}

/** Stops the reading of a file at a line. */
export class ForeignError extends Error {
  constructor(
    readonly line: number,
    reason: string,
  ) {
    super(reason)
  }
}

/** A JSON text of another program, comments allowed, whose parts know their lines. */
export class ForeignJson {
  readonly root: Node
  private readonly breaks: readonly number[]

  constructor(text: string) {
    this.breaks = [...text.matchAll(/\n/g)].map(({ index }) => index)
    const errors: ParseError[] = []
    let root: Node | undefined
    try {
      root = parseTree(text, errors, { allowTrailingComma: true })
    } catch {
      throw new ForeignError(1, "it is nested too deeply")
    }
    const [first] = errors
    if (first) throw new ForeignError(this.lineAt(first.offset), `it is no JSON: ${printParseErrorCode(first.error)}`)
    if (root?.type !== "object") throw new ForeignError(1, "it must be an object in braces")
    this.root = root
  }

  line({ offset }: Node): number {
    return this.lineAt(offset)
  }

  /** The members of an object. Of two equal keys other programs take the last one in silence: nothing is taken here. */
  members(node: Node, what: string): readonly { readonly key: string; readonly keyNode: Node; readonly value: Node }[] {
    if (node.type !== "object") throw new ForeignError(this.line(node), `"${what}" must be an object`)
    const seen = new Set<string>()
    return (node.children ?? []).flatMap((property) => {
      const [keyNode, value] = property.children ?? []
      if (keyNode === undefined || value === undefined) return []
      const key = String(keyNode.value)
      if (seen.has(key)) throw new ForeignError(this.line(keyNode), `"${key}" appears twice in one object`)
      seen.add(key)
      return [{ key, keyNode, value }]
    })
  }

  /** The member at the end of this path of names; undefined where one is missing. */
  find(...path: readonly string[]): Node | undefined {
    let node: Node | undefined = this.root
    for (const [index, name] of path.entries()) {
      if (node === undefined) return undefined
      node = this.members(node, path[index - 1] ?? "the whole").find(({ key }) => key === name)?.value
    }
    return node
  }

  items(node: Node, what: string): readonly Node[] {
    if (node.type !== "array") throw new ForeignError(this.line(node), `"${what}" must be a list`)
    return node.children ?? []
  }

  text(node: Node, what: string): string {
    if (node.type !== "string") throw new ForeignError(this.line(node), `${what} must be a text`)
    return node.value as string
  }

  private lineAt(offset: number): number {
    let low = 0
    let high = this.breaks.length
    while (low < high) {
      const middle = (low + high) >> 1
      if (this.breaks[middle]! < offset) low = middle + 1
      else high = middle
    }
    return low + 1
  }
}
