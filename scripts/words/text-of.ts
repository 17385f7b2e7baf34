import { isFunction, isNode, type Node, type SourceFile, scopesOf } from "./source-file.js"

/** A text as it is in the source: words, and holes with the name of what fills them. */
export type Text = readonly (string | { readonly hole: string; readonly from: Node })[]

/** The texts that an expression can be. Where a hole has few possible words, each makes a text of its own. */
export function textsOf(expression: Node, file: SourceFile, depth = 0): readonly Text[] {
  const again = (node: unknown) => (isNode(node) ? textsOf(node, file, depth + 1) : [])
  if (depth > maxDepth) return [hole(expression)]
  switch (expression.type) {
    case "Literal":
      file.evaluated.add(expression)
      return ["string", "number"].includes(typeof expression.value) ? [[String(expression.value)]] : []
    case "TemplateLiteral":
      file.evaluated.add(expression)
      return templateTexts(expression, file, depth)
    case "ConditionalExpression":
      return [...again(expression.consequent), ...again(expression.alternate)]
    case "LogicalExpression":
      return [...(expression.operator === "&&" ? [] : again(expression.left)), ...again(expression.right)]
    case "BinaryExpression":
      return isSum(expression) ? [hole(expression)] : combine([again(expression.left), again(expression.right)])
    case "Identifier":
      if (expression.name === "undefined") return []
      return constantTexts(expression, file, depth) ?? [hole(expression)]
    case "TSAsExpression":
    case "TSNonNullExpression":
    case "TSSatisfiesExpression":
    case "ParenthesizedExpression":
    case "ChainExpression":
    case "AwaitExpression":
      return again(expression.expression ?? expression.argument)
    case "MemberExpression":
      return tableTexts(expression, file, depth) ?? [hole(expression)]
    default:
      return [hole(expression)]
  }
}

/** `count + 1` is a number, `words + "!"` a text. */
function isSum({ operator, left, right }: Node): boolean {
  const isText = (side: unknown): boolean => {
    if (!isNode(side)) return false
    if (side.type === "BinaryExpression") return isText(side.left) || isText(side.right)
    return side.type === "TemplateLiteral" || typeof side.value === "string"
  }
  return operator !== "+" || !(isText(left) || isText(right))
}

const maxDepth = 12
// More than these would be many entries that differ in one word; then the word is a hole and has entries of its own.
const maxChoices = 4
const maxTexts = 16

function templateTexts(template: Node, file: SourceFile, depth: number): readonly Text[] {
  const quasis = template.quasis as readonly { readonly value: { readonly cooked: string } }[]
  const expressions = template.expressions as readonly Node[]
  return combine(
    quasis.flatMap(({ value }, index) => {
      const expression = expressions[index]
      return expression ? [[[value.cooked]], choicesOf(expression, file, depth)] : [[[value.cooked]]]
    }),
  )
}

/** A template with every expression as a hole. */
export function templateText(template: Node): Text {
  const quasis = template.quasis as readonly { readonly value: { readonly cooked: string } }[]
  const expressions = template.expressions as readonly Node[]
  return quasis.flatMap(({ value }, index) => [value.cooked, ...(expressions[index] ? hole(expressions[index]) : [])])
}

/** What may be in a hole: the words where they are few and known, otherwise a hole. */
function choicesOf(expression: Node, file: SourceFile, depth: number): readonly Text[] {
  const texts = textsOf(expression, file, depth + 1)
  const isKnown = texts.every((text) => text.some((part) => typeof part === "string"))
  const isWhole = texts.length > 0 && texts.length <= maxChoices && isKnown && !mayBeAbsent(expression)
  return isWhole ? texts : [hole(expression)]
}

/** `condition && "words"` in a template would print `false`; nobody writes that, but `list && ...` is a value. */
function mayBeAbsent({ type, operator }: Node): boolean {
  return type === "LogicalExpression" && operator === "&&"
}

function combine(pieces: readonly (readonly Text[])[]): readonly Text[] {
  const all = pieces.reduce<readonly Text[]>(
    (texts, next) => texts.flatMap((text) => next.map((more) => [...text, ...more])),
    [[]],
  )
  if (all.length > maxTexts) throw new Error(`a text has ${all.length} forms: write whole sentences instead`)
  return all
}

function hole(from: Node): Text {
  return [{ hole: nameOf(from), from }]
}

/** A name for translators: the last word of the expression. */
export function nameOf(expression: unknown): string {
  if (!isNode(expression)) return "value"
  switch (expression.type) {
    case "Identifier":
      return expression.name as string
    case "MemberExpression":
      return expression.computed ? nameOf(expression.object) : nameOf(expression.property)
    case "CallExpression":
      return nameOfCall(expression)
    case "LogicalExpression":
      return nameOf(expression.left)
    case "ConditionalExpression":
      return nameOf(expression.consequent)
    case "BinaryExpression":
      return nameOf(isNode(expression.left) && expression.left.type !== "Literal" ? expression.left : expression.right)
    default:
      return nameOf(expression.expression ?? expression.argument)
  }
}

/** `names.join(", ")` is the names; `wordsOf(error)` is words. */
function nameOfCall({ callee, arguments: given }: Node): string {
  const target = callee as Node
  const method = target.type === "MemberExpression" ? nameOf(target.property) : ""
  if (["join", "map", "filter", "slice", "trim", "toString", "toFixed", "at", "sort"].includes(method))
    return nameOf(target.object)
  const first = (given as readonly Node[])[0]
  if (["say", "visibleLine", "visible", "String", "stringify", "wholeLine"].includes(method || nameOf(target)) && first)
    return nameOf(first)
  return method || nameOf(target)
}

/** The name of the function or method that a call names; empty where it names none. */
export function calledName({ callee }: Node): string {
  const target = callee as Node
  return target.type === "MemberExpression"
    ? nameOf(target.property)
    : target.type === "Identifier"
      ? nameOf(target)
      : ""
}

/** The words of a constant, or of a variable by all that is assigned to it; undefined for parameters and imports. */
function constantTexts(name: Node, file: SourceFile, depth: number): readonly Text[] | undefined {
  for (const scope of scopesOf(name, file)) {
    const values = valuesIn(scope, name.name as string, file)
    if (values === "unknown") return undefined
    if (values.length > 0) return values.flatMap((value) => textsOf(value, file, depth + 1))
  }
  return undefined
}

/** What a name is made to be in this function; `unknown` where it is a parameter or taken out of something. */
function valuesIn(scope: Node, name: string, file: SourceFile): readonly Node[] | "unknown" {
  if (isFunction(scope) && (scope.params as readonly Node[]).some((param) => bindsName(param, name))) return "unknown"
  const values: Node[] = []
  for (const node of declaredIn(scope, file)) {
    if (node.type === "VariableDeclarator" && isNode(node.id)) {
      if (node.id.type !== "Identifier") {
        if (bindsName(node.id, name)) return "unknown"
      } else if (node.id.name === name) {
        if (isLoopVariable(node, file)) return "unknown"
        if (isNode(node.init)) values.push(node.init)
      }
    }
    if (node.type === "AssignmentExpression" && isNode(node.left) && isNode(node.right) && node.left.name === name)
      values.push(node.right)
  }
  return values
}

function isLoopVariable(declarator: Node, { parents }: SourceFile): boolean {
  const above = parents.get(parents.get(declarator)!)
  return above?.type === "ForOfStatement" || above?.type === "ForInStatement"
}

function declaredIn(scope: Node, { nodes, scopes }: SourceFile): readonly Node[] {
  const known = declarations.get(scope)
  if (known) return known
  const types = ["VariableDeclarator", "AssignmentExpression"]
  const found = nodes.filter((node) => types.includes(node.type) && scopes.get(node) === scope)
  declarations.set(scope, found)
  return found
}

// Asked again for every name in a function.
const declarations = new WeakMap<Node, readonly Node[]>()

/** Whether a pattern of parameters or of a declaration binds this name. */
export function bindsName(pattern: Node, name: string): boolean {
  switch (pattern.type) {
    case "Identifier":
      return pattern.name === name
    case "AssignmentPattern":
      return bindsName(pattern.left as Node, name)
    case "RestElement":
      return bindsName(pattern.argument as Node, name)
    case "TSParameterProperty":
      return bindsName(pattern.parameter as Node, name)
    case "ObjectPattern":
      return (pattern.properties as readonly Node[]).some((each) => bindsName((each.value ?? each) as Node, name))
    case "ArrayPattern":
      return (pattern.elements as readonly (Node | null)[]).some((each) => each !== null && bindsName(each, name))
    default:
      return false
  }
}

/** The words of a table: `reasons[state]`, or `reasons.replaced`. */
function tableTexts(
  { object, property, computed }: Node,
  file: SourceFile,
  depth: number,
): readonly Text[] | undefined {
  if (!isNode(object) || object.type !== "Identifier") return undefined
  for (const scope of scopesOf(object, file)) {
    const values = valuesIn(scope, object.name as string, file)
    if (values === "unknown") return undefined
    const table = values.map(unwrapped).find(({ type }) => type === "ObjectExpression")
    if (!table) continue
    const wanted = computed ? undefined : nameOf(property)
    return (table.properties as readonly Node[])
      .filter((each) => each.type === "Property" && (wanted === undefined || nameOf(each.key) === wanted))
      .flatMap((each) => textsOf(each.value as Node, file, depth + 1))
  }
  return undefined
}

/** The expression without casts around it. */
export function unwrapped(node: Node): Node {
  const isCast = ["TSAsExpression", "TSSatisfiesExpression", "TSNonNullExpression", "ParenthesizedExpression"]
  return isCast.includes(node.type) ? unwrapped(node.expression as Node) : node
}

/** The text with its holes as `{name}`; braces of its own are doubled. Hints name tools and keys that are filled in later. */
export function patternOf(text: Text): string {
  const used = new Map<string, number>()
  const named = (name: string) => {
    const count = (used.get(name) ?? 0) + 1
    used.set(name, count)
    return `{${name}${count > 1 ? count : ""}}`
  }
  return text
    .map((part) => {
      if (typeof part !== "string") return named(part.hole)
      return part
        .split(/(\{(?:tool|key):[^}]+\})/)
        .map((piece, index) =>
          index % 2 === 1 ? named(piece.slice(1, 4) === "key" ? "key" : "tool") : piece.replace(/[{}]/g, "$&$&"),
        )
        .join("")
    })
    .join("")
}
