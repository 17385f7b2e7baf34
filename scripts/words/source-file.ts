import { readFileSync } from "node:fs"
import { parseSync } from "oxc-parser"

/** A node of the syntax tree; which fields it has follows from its type (ESTree). */
export interface Node {
  readonly type: string
  readonly start: number
  readonly end: number
  readonly [field: string]: unknown
}

/** A parsed file: its nodes, and what is around each. */
export interface SourceFile {
  readonly path: string
  readonly text: string
  /** Every node, parents first. */
  readonly nodes: readonly Node[]
  readonly parents: ReadonlyMap<Node, Node>
  /** The function or file that a node is directly in. */
  readonly scopes: ReadonlyMap<Node, Node>
  /** Names that come from other files. */
  readonly imports: ReadonlySet<unknown>
  /** Texts that were read as words for people. */
  readonly evaluated: Set<Node>
}

/** Reads one TypeScript file. */
export function readSource(path: string): SourceFile {
  const text = readFileSync(path, "utf8")
  const { program, errors } = parseSync(path, text)
  if (errors.length > 0) throw new Error(`Cannot read "${path}": ${errors[0]!.message}`)
  const parents = new Map<Node, Node>()
  const scopes = new Map<Node, Node>()
  const nodes: Node[] = []
  const visit = (node: Node, scope: Node) => {
    nodes.push(node)
    const inner = isFunction(node) ? node : scope
    for (const child of childrenOf(node)) {
      parents.set(child, node)
      scopes.set(child, inner)
      visit(child, inner)
    }
  }
  const root = program as unknown as Node
  visit(root, root)
  const specifiers = nodes.filter(({ type }) => type === "ImportSpecifier")
  const imports = new Set(specifiers.map(({ local }) => (local as Node).name))
  return { path, text, nodes, parents, scopes, imports, evaluated: new Set() }
}

function childrenOf(node: Node): readonly Node[] {
  const children: Node[] = []
  for (const field in node) {
    const value = node[field]
    if (Array.isArray(value)) children.push(...value.filter(isNode))
    else if (isNode(value)) children.push(value)
  }
  return children
}

/** Whether a value is a node. */
export function isNode(value: unknown): value is Node {
  return typeof value === "object" && value !== null && typeof (value as Node).type === "string"
}

/** The functions and the file around a node, innermost first. */
export function scopesOf(node: Node, { scopes }: SourceFile): readonly Node[] {
  const around: Node[] = []
  for (let at = scopes.get(node); at; at = scopes.get(at)) around.push(at)
  return around
}

/** Whether a node is a function of any form. */
export function isFunction(node: Node): boolean {
  return ["FunctionDeclaration", "FunctionExpression", "ArrowFunctionExpression"].includes(node.type)
}
