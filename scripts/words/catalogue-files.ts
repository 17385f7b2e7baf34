import { join } from "node:path"
import { isRecognizable, partsOf } from "../../packages/language/src/catalogue.js"
import { catalogues } from "../../packages/language/src/zh-cn/index.js"
import { readWords } from "./read-words.js"

/** The folder of the Chinese words. */
export const folder = "packages/language/src/zh-cn"

/** What the catalogue lacks or has too much; empty lists when it fits the sources. */
export interface WordsReport {
  readonly missing: readonly string[]
  /** Chinese texts with other holes than the English one. */
  readonly different: readonly string[]
  /** Entries whose English text is gone, or is in two files. */
  readonly needless: readonly string[]
  /** Texts that have too few words to be recognized when they are printed. */
  readonly vague: readonly string[]
  readonly unsaid: readonly string[]
}

/** Compares the catalogue with the sources. */
export function checkWords(root: string): WordsReport {
  const { words, unsaid } = readWords(root)
  const used = new Set(words.map(({ pattern }) => literalsOf(pattern)))
  const entries = Object.values(catalogues).flatMap((catalogue) => Object.entries(catalogue))
  const translated = new Map(entries.map(([english, chinese]) => [literalsOf(english), chinese]))
  const seen = new Set<string>()
  const isNeedless = ([english]: readonly [string, string]) => {
    const key = literalsOf(english)
    const isAgain = seen.has(key)
    seen.add(key)
    return isAgain || !used.has(key)
  }
  return {
    missing: words.filter(({ pattern }) => !translated.get(literalsOf(pattern))).map(({ pattern }) => pattern),
    different: entries
      .filter(([english, chinese]) => chinese !== "" && holesOf(english) !== holesOf(chinese))
      .map(([english]) => english),
    needless: entries.filter(isNeedless).map(([english]) => english),
    vague: words.filter(({ pattern, finished }) => finished && !isRecognizable(pattern)).map(({ pattern }) => pattern),
    unsaid,
  }
}

/** The catalogue files as they should be: every text of the sources, with what is translated already. */
export function catalogueFiles(root: string): Readonly<Record<string, string>> {
  const { words } = readWords(root)
  const translated = new Map(
    Object.values(catalogues).flatMap((catalogue) =>
      Object.entries(catalogue).map(([english, chinese]) => [literalsOf(english), { english, chinese }] as const),
    ),
  )
  const bySubject = new Map<string, string[]>(subjects.map(([subject]) => [subject, []]))
  for (const { pattern, file } of words) {
    const known = translated.get(literalsOf(pattern))
    const { english, chinese } = known?.chinese ? known : { english: pattern, chinese: "" }
    const [subject] = subjects.find(([, places]) => places.test(file)) ?? ["tools"]
    bySubject.get(subject)!.push(`  ${JSON.stringify(english)}: ${JSON.stringify(chinese)},`)
  }
  return Object.fromEntries(
    [...bySubject].map(([subject, lines]) => [join(folder, `${subject}.ts`), fileText(subject, lines)]),
  )
}

/** What each file of the catalogue is about, by the sources that say it. The first that fits counts. */
const subjects: readonly (readonly [string, RegExp])[] = [
  ["help", /^packages\/haft\/src\/(command\/(commands|option|\w+\/\w+-commands)|config\/setting)\.ts/],
  ["terminal", /^packages\/haft\/src\/(terminal|mcp)\//],
  ["doctor", /^packages\/haft\/src\/command\/(doctor|box)/],
  ["subcommands", /^packages\/haft\/src\/command\/\w+\//],
  ["command", /^packages\/haft\/src\/command\//],
  ["library", /^packages\/(haft|project|extensions|store)\//],
  ["guard", /^packages\/(guard|contract|runtime)\//],
  ["files", /^packages\/host\/src\/(files|search|undo|network)/],
  ["processes", /^packages\/(host|lsp|desktop)\//],
  ["machines", /^packages\/(box|compute)\//],
  ["models", /^packages\/(agent|mcp)\//],
  ["server", /^packages\/server\//],
  ["dialects", /^packages\/dialects\//],
  ["tool-arguments", /\/generated\/definitions\.json$/],
  ["file-tools", /^packages\/tools\/src\/(files|search|notebook)\//],
  ["tools", /^packages\/tools\//],
]

function fileText(subject: string, lines: readonly string[]): string {
  const name = subject.replace(/-(\w)/g, (_all, letter: string) => letter.toUpperCase())
  return [
    'import type { Catalogue } from "../catalogue.js"',
    "",
    "/** Written by hand beside the English texts, which `npm run words` keeps up with the sources. */",
    `export const ${name}: Catalogue = {`,
    ...lines,
    "}",
    "",
  ].join("\n")
}

/** What tells one text from another: the words around its holes, whatever the holes are called. */
function literalsOf(text: string): string {
  return partsOf(text).words.join("\0")
}

function holesOf(text: string): string {
  return [...partsOf(text).names].sort().join(" ")
}
