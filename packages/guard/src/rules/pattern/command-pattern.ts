import { nameOf } from "../../path/parts.js"
import { compileGlob, type GlobTest, hasWildcard } from "./glob.js"
import { exact, fixedShape, numberOf, openEnd } from "./number.js"
import { patternError } from "./pattern-problem.js"
import { splitWords, type Word } from "./words.js"

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

/** Whether a command fits. A strict comparison also looks at the program's name without its folder. */
export function matchesCommand(pattern: CommandPattern, argv: readonly string[], strict: boolean): boolean {
  const { words, open } = pattern
  if (open ? argv.length < words.length : argv.length !== words.length) return false
  return words.every((word, index) => {
    const argument = argv[index]!
    return word.test(argument) || (strict && index === 0 && word.test(nameOf(argument)))
  })
}

/** Whether every command of the inner pattern is one of the outer, as far as the text shows it; in doubt no. */
export function commandInside(inner: CommandPattern, outer: CommandPattern): boolean {
  if (inner.number <= outer.number) return false
  if (!inner.open && inner.words.every((word) => !word.glob)) {
    return matchesCommand(
      outer,
      inner.words.map((word) => word.text),
      true,
    )
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
