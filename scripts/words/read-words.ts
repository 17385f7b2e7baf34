import { readdirSync } from "node:fs"
import { join, relative } from "node:path"
import { wordHoles } from "../../packages/language/src/catalogue.js"
import { argumentDescriptions } from "./argument-descriptions.js"
import { isFunction, isNode, type Node, readSource, type SourceFile, scopesOf } from "./source-file.js"
import { bindsName, calledName, nameOf, patternOf, type Text, templateText, textsOf, unwrapped } from "./text-of.js"
import { silentFunctions, unsaidIn } from "./unsaid-words.js"

/** One text for people, with its holes named, and the first file that has it. */
export interface Words {
  readonly pattern: string
  readonly file: string
  /** Whether it is found by its words when it is printed, because it is finished elsewhere. */
  readonly finished: boolean
}

/** What the sources say to people. */
export interface ReadWords {
  /** Every text for people, in the order of files. */
  readonly words: readonly Words[]
  /** What the command line writes without saying it in the person's language, as `file:line: text`. */
  readonly unsaid: readonly string[]
}

/** Reads the sources of all packages. */
export function readWords(root: string): ReadWords {
  const files = sourceFiles(root).map((path) => readSource(path))
  const reader = new WordReader(files, root)
  for (const file of files) for (const node of file.nodes) reader.look(node, file)
  const spoken = files.filter(({ path }) => /\/haft\/src\/(command|terminal)\/(?!completion\/)/.test(path))
  const unsaid = spoken.flatMap((file) => {
    const places = unsaidIn(file, (node) => reader.hasRead(node, file))
    return places.map((place) => `${relative(root, file.path)}:${place}`)
  })
  const found = reader.found()
  const patterns = new Set(found.map(({ pattern }) => pattern))
  const described = argumentDescriptions(root).filter(({ pattern }) => !patterns.has(pattern))
  return { words: [...found, ...described], unsaid }
}

// Faces and workbench have words in both languages of their own. What acp and testkit say no person reads here.
const ownWords = ["acp", "faces", "testkit", "workbench"]

function sourceFiles(root: string): readonly string[] {
  const packages = join(root, "packages")
  return readdirSync(packages)
    .filter((name) => !ownWords.includes(name))
    .flatMap((name) =>
      readdirSync(join(packages, name, "src"), { recursive: true, encoding: "utf8" }).map((file) =>
        join(packages, name, "src", file),
      ),
    )
    .filter(
      (file) =>
        /\.ts$/.test(file) &&
        !/\.(test|types|d)\.ts$|\/(testing|generated|zh-cn|serve\/http)\/|stdio-frames/.test(file),
    )
    .sort()
}

/** Properties whose values people read, wherever they are. */
const properties = new Set(["hint", "fix", "about", "words", "found", "place"])

/** Properties with sentences for people. One word there is a value of a closed list. */
const sentences = new Set([
  "reason",
  "allowance",
  "why",
  "because",
  "note",
  "notes",
  "problem",
  "missing",
  "also",
  "message",
  "detail",
])

/** Lists of words for people. */
const lists = new Set(["errorMeanings", "probeChecks"])

/** Where `action` is a verb of an error. Elsewhere it is an argument or what a rule does. */
const saysActions = /packages\/(desktop|host|store)\//

/** Lists to which sentences for people are added. */
const filled = new Set(["missing", "notes", "problems", "reasons"])

/** Functions that give a sentence for people, wherever it goes. */
const speaking = new Set(["latestAnswer"])

/** Functions whose argument with this number people read. */
const functions: Readonly<Record<string, number>> = { say: 0, note: 2, onStep: 0, table: 0 }

class WordReader {
  private readonly words = new Map<string, Words>()
  private readonly seen = new Set<Node>()
  private readonly calls = new Map<string, { readonly file: SourceFile; readonly call: Node }[]>()
  private readonly declarations = new Map<string, { readonly file: SourceFile; readonly node: Node }[]>()

  constructor(
    files: readonly SourceFile[],
    private readonly root: string,
  ) {
    for (const file of files) {
      for (const node of file.nodes) {
        if (node.type === "CallExpression" || node.type === "NewExpression")
          add(this.calls, calledName(node), { file, call: node })
        if (isFunction(node)) add(this.declarations, functionName(node, file), { file, node })
      }
    }
  }

  found(): readonly Words[] {
    return [...this.words.values()]
  }

  /** Whether a text is, or is in, one that was read. */
  hasRead(node: Node, { parents, evaluated }: SourceFile): boolean {
    for (let at: Node | undefined = node; at; at = parents.get(at))
      if (this.seen.has(at) || evaluated.has(at)) return true
    return false
  }

  /** Notices the places where words for people begin their way. */
  look(node: Node, file: SourceFile): void {
    if (node.type === "NewExpression" && nameOf(node.callee) === "ToolError")
      this.read((node.arguments as readonly Node[])[1], file)
    if (node.type === "Property" && file.parents.get(node)?.type === "ObjectExpression") {
      const key = nameOf(node.key)
      if (isExample(node, file)) return
      if (key === "action" && saysActions.test(file.path)) this.read(node.value, file)
      const isSentence = sentences.has(key) || (key === "text" && isPlaced(node, file))
      if (properties.has(key) || isSentence) this.read(node.value, file, isSentence)
    }
    if (node.type === "AssignmentExpression" && (node.left as Node).type === "MemberExpression") {
      if (properties.has(nameOf(node.left))) this.read(node.right, file)
    }
    if (node.type === "VariableDeclarator" && lists.has(nameOf(node.id))) {
      const list = unwrapped(node.init as Node)
      const entries = (list.elements ??
        (list.properties as readonly Node[]).map(({ value }) => value)) as readonly Node[]
      for (const entry of entries) this.read(entry, file)
    }
    if (isFunction(node) && speaking.has(functionName(node, file))) this.readReturns(node, file, false)
    if (node.type === "TaggedTemplateExpression" && nameOf(node.tag) === "say") this.readTag(node.quasi as Node, file)
    if (node.type === "CallExpression") {
      const index = functions[calledName(node)]
      if (index !== undefined) this.read((node.arguments as readonly Node[])[index], file)
      const { object } = node.callee as Node
      if (calledName(node) === "push" && filled.has(nameOf(object)))
        for (const text of node.arguments as readonly Node[]) this.read(text, file, true)
    }
  }

  /** The words of a tag are looked up as they are in the source: what is in its holes is said by itself. */
  private readTag(template: Node, file: SourceFile): void {
    this.seen.add(template)
    const text = templateText(template)
    this.keep(text, file, "said")
    for (const part of text) if (typeof part !== "string") this.follow(part.from, file, true)
  }

  /** Keeps what an expression says, and follows what fills its holes. */
  private read(expression: unknown, file: SourceFile, isPart = false): void {
    if (!isNode(expression) || this.seen.has(expression)) return
    this.seen.add(expression)
    let texts: readonly Text[]
    try {
      texts = textsOf(expression, file)
    } catch (error) {
      throw new Error(
        `${relative(this.root, file.path)}:${file.text.slice(0, expression.start).split("\n").length}: ${(error as Error).message}`,
      )
    }
    for (const text of texts) {
      if (text.some((part) => typeof part === "string")) this.keep(text, file, isPart ? "part" : "finished")
      for (const part of text)
        if (typeof part !== "string")
          this.follow(part.from, file, (isPart || text.length > 1) && !wordHoles.has(part.hole))
    }
  }

  private keep(text: Text, file: SourceFile, how: "said" | "part" | "finished"): void {
    const pattern = patternOf(text)
    const literal = pattern.replace(/\{\w+\}/g, " ")
    const isProse = /[a-zA-Z]{2,}/.test(literal) && !/^(?:--|[\w.]+=)/.test(literal)
    // A part of another text is translated by itself only where it has several words: one word may be a value.
    if (!isProse || (how === "part" && !/[a-z]\S* +\S*[a-z]/i.test(literal))) return
    const signature = pattern.replace(/\{\w+\}/g, "{}")
    const before = this.words.get(signature)
    const finished = before?.finished === true || how === "finished"
    this.words.set(signature, { pattern, file: relative(this.root, file.path), ...before, finished })
  }

  /** Finds the words behind a value: in the function that gives it, or at the calls of the function that takes it. */
  private follow(node: Node, file: SourceFile, isPart: boolean): void {
    const value = unwrapped(node)
    if (value.type === "ArrayExpression")
      for (const each of value.elements as readonly (Node | null)[]) if (each) this.followElement(each, file, isPart)
    if (value.type === "ObjectExpression") {
      for (const each of value.properties as readonly Node[])
        if (each.type === "Property" && nameOf(each.key) === "say") this.read(each.value, file, isPart)
    }
    if (value.type === "ConditionalExpression" || value.type === "LogicalExpression") this.read(value, file, isPart)
    if (value.type === "CallExpression") this.followCall(value, file, isPart)
    if (value.type === "AwaitExpression") this.follow(value.argument as Node, file, isPart)
    if (value.type === "Identifier" && !this.followParameter(value, file, isPart)) {
      this.read(value, file, isPart)
      const list = loopList(value, file)
      if (list) this.follow(list, file, isPart)
    }
    if (isFunction(value)) this.readReturns(value, file, isPart)
  }

  private followElement(element: Node, file: SourceFile, isPart: boolean): void {
    const inner = element.type === "SpreadElement" ? (element.argument as Node) : element
    if (inner.type === "ArrayExpression" || inner.type === "ObjectExpression") this.follow(inner, file, isPart)
    else this.read(inner, file, isPart)
  }

  private followCall(call: Node, file: SourceFile, isPart: boolean): void {
    const callee = call.callee as Node
    if (callee.type === "MemberExpression" && listMethods.has(nameOf(callee.property))) {
      this.follow(callee.object as Node, file, true)
      for (const given of call.arguments as readonly Node[]) if (isFunction(given)) this.readReturns(given, file, true)
      return
    }
    const name = calledName(call)
    for (const { file: place, node } of this.declarations.get(name) ?? []) {
      if (place === file || file.imports.has(name)) this.readReturns(node, place, isPart)
    }
  }

  private readReturns(node: Node, file: SourceFile, isPart: boolean): void {
    const body = node.body as Node
    if (body.type !== "BlockStatement") this.read(body, file, isPart)
    for (const inner of file.nodes) {
      if (inner.type === "ReturnStatement" && file.scopes.get(inner) === node) this.read(inner.argument, file, isPart)
    }
  }

  /** A parameter holds what the calls give. False where the name is none. */
  private followParameter(name: Node, file: SourceFile, isPart: boolean): boolean {
    for (const scope of scopesOf(name, file)) {
      if (!isFunction(scope)) continue
      const index = (scope.params as readonly Node[]).findIndex((param) => bindsName(param, name.name as string))
      if (index < 0) continue
      const called = functionName(scope, file)
      const above = file.parents.get(scope)
      // `list.map((each) => ...)`: each is what the list holds.
      if (index === 0 && above?.type === "CallExpression" && listMethods.has(calledName(above))) {
        this.follow((above.callee as Node).object as Node, file, isPart)
      }
      for (const { file: place, call } of called === "" || silentFunctions.has(called)
        ? []
        : (this.calls.get(called) ?? [])) {
        if (place !== file && !place.imports.has(called)) continue
        const given = (call.arguments as readonly (Node | undefined)[])[index]
        const param = (scope.params as readonly Node[])[index]!
        if (given && isPlain(param)) this.read(given, place, isPart)
      }
      return true
    }
    return false
  }
}

const listMethods = new Set(["join", "map", "filter", "flatMap", "slice", "concat", "trim", "find"])

/** A problem of a file: its line and its text. */
function isPlaced(node: Node, { parents }: SourceFile): boolean {
  return (parents.get(node)!.properties as readonly Node[]).some(({ key }) => nameOf(key) === "line")
}

/** Calls that a tool shows as examples. */
function isExample(node: Node, { parents }: SourceFile): boolean {
  for (let at: Node | undefined = node; at; at = parents.get(at)) {
    if (at.type === "VariableDeclarator" && nameOf(at.id) === "examples") return true
  }
  return false
}

/** What a destructured object holds is found by the names of its properties. */
function isPlain(param: Node): boolean {
  return (
    param.type === "Identifier" || (param.type === "AssignmentPattern" && (param.left as Node).type === "Identifier")
  )
}

/** What a `for ... of` goes through, where the name is its variable. */
function loopList(name: Node, file: SourceFile): Node | undefined {
  for (let at = file.parents.get(name); at; at = file.parents.get(at)) {
    if (at.type !== "ForOfStatement") continue
    const [declarator] = ((at.left as Node).declarations ?? []) as readonly Node[]
    if (declarator && (declarator.id as Node).name === name.name) return at.right as Node
  }
  return undefined
}

/** The name by which a function is called; a constructor is called by the name of its class. */
function functionName(node: Node, { parents }: SourceFile): string {
  if (isNode(node.id)) return nameOf(node.id)
  const above = parents.get(node)
  if (above?.type === "VariableDeclarator") return nameOf(above.id)
  if (above?.type === "Property") return nameOf(above.key)
  if (above?.type !== "MethodDefinition") return ""
  if (above.kind === "constructor") return nameOf((parents.get(parents.get(above)!) as Node).id)
  return nameOf(above.key)
}

function add<Value>(map: Map<string, Value[]>, key: string, value: Value): void {
  const values = map.get(key) ?? []
  if (key !== "") map.set(key, values)
  values.push(value)
}
