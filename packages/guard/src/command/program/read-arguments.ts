import { type Argument, type Findings, literal, mayBeOption, quoted } from "./findings.js"

/** The words of a command by their kind. */
export interface ReadArguments {
  readonly operands: readonly Argument[]
  /** Options by their spelling with the last value that each was given; `true` for one without a value. */
  readonly options: ReadonlyMap<string, Argument | true>
  /** Every option that was given a value, in order. */
  readonly given: readonly { readonly option: string; readonly value: Argument }[]
}

export function hasOption({ options }: ReadArguments, ...spellings: readonly string[]): boolean {
  return spellings.some((spelling) => options.has(spelling))
}

/** The values of all these options, in order. */
export function valuesOf({ given }: ReadArguments, ...spellings: readonly string[]): readonly Argument[] {
  return given.filter(({ option }) => spellings.includes(option)).map(({ value }) => value)
}

/** How a program reads its words. */
export interface ArgumentGrammar {
  /** In the notation of `optionTable`. Everything else makes the command opaque: short forms, new options, typing errors. */
  readonly options: string
  /** Options end at the first operand, as for programs that run others. */
  readonly ordered?: boolean
  /** `-5` is a number of lines. */
  readonly numbers?: boolean
  /** The program has options that write or run something, so a file name must not be able to pass for one. */
  readonly careful?: boolean
}

/** Tells options from operands and notes the files that options name. */
export function readArguments(words: readonly Argument[], grammar: ArgumentGrammar, findings: Findings): ReadArguments {
  const reader = new ArgumentReader(words, grammar, findings)
  return reader.read()
}

// Most commands have none, and a map takes more room than all their words.
const noOptions: ReadonlyMap<string, Argument | true> = new Map()

class ArgumentReader {
  private readonly table: OptionTable
  private readonly operands: Argument[] = []
  private options: Map<string, Argument | true> | undefined
  private readonly given: { option: string; value: Argument }[] = []
  private next = 0

  constructor(
    private readonly words: readonly Argument[],
    private readonly grammar: ArgumentGrammar,
    private readonly findings: Findings,
  ) {
    this.table = optionTable(grammar.options)
  }

  read(): ReadArguments {
    while (this.next < this.words.length) {
      const word = this.words[this.next++]!
      if (word.kind === "literal" && word.text === "--") break
      if (!mayBeOption(word)) {
        this.operands.push(word)
        if (this.grammar.ordered) break
      } else if (word.kind === "literal") this.option(word.text)
      else this.maybeOption(word)
    }
    this.operands.push(...this.words.slice(this.next))
    return { operands: this.operands, options: this.options ?? noOptions, given: this.given }
  }

  private maybeOption(word: Argument): void {
    this.operands.push(word)
    if (word.kind === "unknown") this.doubt(`what ${quoted(word.text)} will be cannot be known before it runs`)
    else if (this.grammar.careful) this.doubt(`a name that ${quoted(word.text)} finds could pass for an option`)
  }

  private option(text: string): void {
    if (text.startsWith("--")) this.longOption(text)
    else if (this.grammar.numbers && /^-\d+$/.test(text)) this.setOption("-#", literal(text.slice(1)))
    else this.shortOptions(text)
  }

  private longOption(text: string): void {
    const equals = text.indexOf("=")
    const name = equals < 0 ? text : text.slice(0, equals)
    const value = this.table.get(name)
    if (value === undefined) {
      this.unknownOption(name)
      return
    }
    if (equals >= 0) {
      if (value === "none") {
        this.unknownOption(text)
        return
      }
      this.keep(name, value, literal(text.slice(equals + 1)))
    } else this.take(name, value)
  }

  private shortOptions(text: string): void {
    for (let index = 1; index < text.length; index++) {
      const name = `-${text[index]}`
      const value = this.table.get(name)
      if (value === undefined) {
        this.unknownOption(name)
        return
      }
      const rest = text.slice(index + 1)
      if (value === "none") this.setOption(name, true)
      else if (rest === "") {
        this.take(name, value)
        return
      } else {
        this.keep(name, value, literal(rest))
        return
      }
    }
  }

  /** The value is in the next word or words. */
  private take(name: string, value: OptionValue): void {
    if (value === "none" || value === "attached") {
      this.setOption(name, true)
      return
    }
    if (value === "two texts" || value === "text and read") this.next++
    const word = this.words[this.next++]
    if (word) this.keep(name, value, word)
    else this.doubt(`nothing follows the option "${name}"`)
  }

  private keep(name: string, value: OptionValue, word: Argument): void {
    this.setOption(name, word)
    this.given.push({ option: name, value: word })
    if (value === "read" || value === "text and read") this.findings.read(word)
    else if (value === "write") this.writeTo(word)
    // A word that is not quoted can become several, and the next of them may be an option again.
    else if (word.kind === "names" || (word.kind === "unknown" && word.shape === "any")) {
      this.doubt(`what follows the option "${name}" cannot be known before it runs`)
    }
  }

  /** A dash means standard output. */
  private writeTo(word: Argument): void {
    if (word.text !== "-") this.findings.write(word)
  }

  private setOption(name: string, value: Argument | true): void {
    this.options ??= new Map()
    this.options.set(name, value)
  }

  private unknownOption(name: string): void {
    this.doubt(`it is not known what the option "${name}" does`)
  }

  private doubt(why: string): void {
    if (this.grammar.careful) this.findings.steered(why)
    else this.findings.opaque(why)
  }
}

/** What follows an option: nothing, a text, a file that it reads or writes, a text only when it is attached, or two words. */
type OptionValue = "none" | "text" | "read" | "write" | "attached" | "two texts" | "text and read"

/** The options of a program by their spelling, `-x` or `--name`. */
type OptionTable = ReadonlyMap<string, OptionValue>

/**
 * Reads the notation of the tables: `abc` three short options, `--name` a long one; a mark behind the last tells
 * what follows: `=` a text, `<` a file that is read, `>` one that is written, `?` a text only when attached,
 * `==` two texts, `=<` a text and a file that is read.
 */
function optionTable(notation: string): OptionTable {
  const known = tables.get(notation)
  if (known) return known
  const table = new Map<string, OptionValue>()
  for (const token of notation.split(" ")) {
    const [, name, mark] = /^(.*?)(=<|==|[=<>?]?)$/.exec(token)!
    if (name === "") continue
    const value = marks.get(mark!)!
    if (name!.startsWith("--")) table.set(name!, value)
    else for (const letter of name!) table.set(`-${letter}`, value)
  }
  tables.set(notation, table)
  return table
}

// Read when a program is met for the first time: most sessions meet few of them.
const tables = new Map<string, OptionTable>()

const marks: ReadonlyMap<string, OptionValue> = new Map([
  ["", "none"],
  ["=", "text"],
  ["<", "read"],
  [">", "write"],
  ["?", "attached"],
  ["==", "two texts"],
  ["=<", "text and read"],
])
