import type { Node, SourceFile } from "./source-file.js"
import { calledName, nameOf } from "./text-of.js"

/** Functions whose arguments are for developers or for models. */
export const silentFunctions: ReadonlySet<string> = new Set(["attempt", "bestEffort", "ignoreMissing", "text"])

/** Words in a file that reach people in English only, as `line: text`. */
export function unsaidIn(file: SourceFile, hasRead: (node: Node) => boolean): readonly string[] {
  return file.nodes.flatMap((node) => {
    if (!isProse(node) || hasRead(node) || isForPrograms(node, file)) return []
    const line = file.text.slice(0, node.start).split("\n").length
    return [`${line}: ${file.text.slice(node.start, node.end).replaceAll("\n", " ")}`]
  })
}

/** Whether a text has two words with a blank between them, as programs' texts seldom have. */
function isProse(node: Node): boolean {
  if (node.type === "Literal") return typeof node.value === "string" && prose.test(node.value)
  if (node.type !== "TemplateLiteral") return false
  return (node.quasis as readonly { readonly value: { readonly cooked: string } }[]).some(({ value }) =>
    prose.test(value.cooked),
  )
}

const prose = /[a-z]{2,}[,:;]? [a-z]{2,}/i

/** Examples, operands and what developers read. */
function isForPrograms(node: Node, { parents }: SourceFile): boolean {
  for (let at: Node | undefined = node; at; at = parents.get(at)) {
    if (at.type === "Property" && ["examples", "operands", "instructions"].includes(nameOf(at.key))) return true
    if (at.type === "CallExpression" && silentFunctions.has(calledName(at))) return true
    if (at.type === "NewExpression" && nameOf(at.callee) === "Error") return true
  }
  return false
}
