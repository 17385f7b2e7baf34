import { nameOf } from "../../path.js"
import { compileGlob, type GlobTest, hasWildcard } from "./glob.js"
import { exact, fixedShape, numberOf, openEnd } from "./number.js"
import { patternError } from "./pattern-problem.js"

/** One word of a command pattern. */
interface CommandWord {
  readonly text: string
  readonly glob: boolean
  readonly test: GlobTest
}

/** A compiled command pattern: its words, and whether any further words may follow. */
export interface CommandPattern {
  readonly kind: "command"
  readonly words: readonly CommandWord[]
  readonly open: boolean
  readonly number: number
}

/** Compiles words such as `git status` or `git push *`. */
export function parseCommandPattern(pattern: string): CommandPattern {
  const split = splitWords(pattern)
  const open = isStar(split.at(-1))
  const words = (open ? split.slice(0, -1) : split).map(compileWord)
  if (words.length === 0) {
    throw patternError(pattern, { reason: "it names no program", fix: "write the program first, or no pattern" })
  }
  refuseGluedStar(pattern, split.at(-1)!)
  const fixed = words.filter((word) => !word.glob).length
  const patternClass = open ? openEnd : fixed === words.length ? exact : fixedShape
  return { kind: "command", words, open, number: numberOf(patternClass, fixed) }
}

/**
 * Whether a command fits. A strict comparison also looks at the program's name without its folder, and takes a word with a
 * wildcard for any name that the shell may find for it; an allow must name the program behind wrappers and assignments.
 */
export function matchesCommand(pattern: CommandPattern, command: ComparedCommand, strict: boolean): boolean {
  const { words, open } = pattern
  const { argv, program = 0 } = command
  if (open ? argv.length < words.length : argv.length !== words.length) return false
  if (!strict && program > 0 && words[program]?.glob !== false) return false
  return words.every((word, index) => {
    const argument = argv[index]!
    return word.test(argument) || (strict && mayBecome(argument, word, index === 0))
  })
}

/** The words of a command as a rule is compared with them. */
interface ComparedCommand {
  readonly argv: readonly string[]
  readonly program?: number
}

function mayBecome(argument: string, word: CommandWord, isProgram: boolean): boolean {
  const name = isProgram ? nameOf(argument) : argument
  return (isProgram && word.test(name)) || (!word.glob && isShellGlob(name) && shellGlob(name).test(word.text))
}

function isShellGlob(text: string): boolean {
  return /[*?[]/.test(text)
}

/** Brackets match any one character here: too much rather than too little. */
function shellGlob(text: string): RegExp {
  const source = text.replace(/\[[^\]]*\]|\*+|[\s\S]/g, (piece) => {
    if (piece.startsWith("[")) return "[^/]"
    if (piece.startsWith("*")) return "[^/]*"
    return piece === "?" ? "[^/]" : piece.replace(/[\\^$.+(){}|[\]]/, "\\$&")
  })
  return new RegExp(`^${source}$`, "s")
}

/** Whether a command that begins with these words may turn out to fit a pattern, compared strictly. */
export function mayBegin({ words }: CommandPattern, begins: readonly string[]): boolean {
  return words.every((word, index) => {
    const argument = begins[index]
    return argument === undefined || word.test(argument) || mayBecome(argument, word, index === 0)
  })
}

/** Whether a text that is not followed holds all fixed words of a pattern: it may run such a command. */
export function mentionsCommand(text: string, { words }: CommandPattern): boolean {
  // With the dot a name such as `x.sh` is one, without it `os.rm` names `rm` too.
  const mentioned = [...text.matchAll(/[\w.+-]+/g), ...text.matchAll(/[\w+-]+/g)].map(([word]) => word)
  return words.every(({ test }) => mentioned.some(test))
}

/** Whether every command of the inner pattern is one of the outer, as far as the text shows it; in doubt no. */
export function commandInside(inner: CommandPattern, outer: CommandPattern): boolean {
  if (inner.number <= outer.number) return false
  if (!inner.open && inner.words.every((word) => !word.glob)) {
    return matchesCommand(outer, { argv: inner.words.map((word) => word.text) }, true)
  }
  if (!outer.open || outer.words.some((word) => word.glob)) return false
  return outer.words.every((word, index) => {
    const other = inner.words[index]
    return other !== undefined && !other.glob && other.text === word.text
  })
}

function compileWord({ text, quoted }: Word): CommandWord {
  const glob = !quoted && hasWildcard(text)
  return { text, glob, test: glob ? compileGlob(text) : (argument) => argument === text }
}

function isStar(word: Word | undefined): boolean {
  return word !== undefined && !word.quoted && word.text === "*"
}

/** `push*` looks like a beginning with anything behind it, but would also match `pushy` and no argument at all. */
function refuseGluedStar(pattern: string, last: Word): void {
  if (last.quoted || !/^[\w.:-]*\w\*+$/.test(last.text)) return
  const fixed = pattern.replace(/\*+\s*$/, " *")
  throw patternError(pattern, {
    reason: `a star at the end of "${last.text}" stays inside that word and allows no further words`,
    fix: `write "${fixed}"`,
  })
}

/** A word of a command pattern; a quoted star means itself. */
export interface Word {
  readonly text: string
  readonly quoted: boolean
}

/** Splits a command pattern at white space; quotes and backslashes keep words together. */
export function splitWords(text: string): readonly Word[] {
  const words: Word[] = []
  const pattern = /\s+|'([^']*)'|"((?:[^"\\]|\\.)*)"|\\([\s\S])|([^\s'"\\]+)/y
  let current: { text: string; quoted: boolean } | undefined
  while (pattern.lastIndex < text.length) {
    const at = pattern.lastIndex
    const found = pattern.exec(text)
    if (!found) {
      throw patternError(text, {
        reason: `the quote at character ${at + 1} is not closed`,
        fix: "close it or escape it with a backslash",
      })
    }
    const [, single, double, escaped, plain] = found
    const piece = single ?? double?.replace(/\\(["\\$`])/g, "$1") ?? escaped ?? plain
    if (piece === undefined) {
      if (current) words.push(current)
      current = undefined
    } else {
      current = { text: (current?.text ?? "") + piece, quoted: (current?.quoted ?? false) || plain === undefined }
    }
  }
  if (current) words.push(current)
  return words
}
