/** What follows an option: nothing, a text, a file that it reads or writes, a text only when it is attached, or two words. */
export type OptionValue = "none" | "text" | "read" | "write" | "attached" | "two texts" | "text and read"

/** The options of a program by their spelling, `-x` or `--name`. */
export type OptionTable = ReadonlyMap<string, OptionValue>

/**
 * Reads the notation of the tables: `abc` three short options, `--name` a long one; a mark behind the last tells
 * what follows: `=` a text, `<` a file that is read, `>` one that is written, `?` a text only when attached,
 * `==` two texts, `=<` a text and a file that is read.
 */
export function optionTable(notation: string): OptionTable {
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
