import type { HighlighterCore, LanguageInput } from "shiki/core"

/** A piece of a line and what it is: `keyword`, `string`, `comment` ...; undefined for plain text. */
export interface Token {
  readonly text: string
  readonly kind?: string
}

/** The lines of a text in pieces; undefined for a language that is not known here, or a text that is too long. */
export async function highlight(text: string, path: string): Promise<readonly (readonly Token[])[] | undefined> {
  const language = languageOf(path)
  if (language === undefined || text.length > maxCharacters) return undefined
  const highlighter = await load(language)
  const tokens = highlighter.codeToTokensBase(text, {
    lang: language,
    theme: "haft",
    // Grammars are regular expressions over text that anybody may have written.
    tokenizeMaxLineLength: 2000,
    tokenizeTimeLimit: 100,
  })
  return tokens.map((line) => line.map(({ content, color }) => ({ text: content, ...kindOf(color) })))
}

const maxCharacters = 200_000

function kindOf(color: string | undefined): Pick<Token, "kind"> {
  const kind = color === undefined ? undefined : /--haft-token-([a-z-]+)/.exec(color)?.[1]
  return kind === undefined ? {} : { kind }
}

const languages: Readonly<Record<string, LanguageInput>> = {
  bash: () => import("shiki/langs/bash.mjs"),
  c: () => import("shiki/langs/c.mjs"),
  css: () => import("shiki/langs/css.mjs"),
  go: () => import("shiki/langs/go.mjs"),
  html: () => import("shiki/langs/html.mjs"),
  java: () => import("shiki/langs/java.mjs"),
  json: () => import("shiki/langs/json.mjs"),
  jsonc: () => import("shiki/langs/jsonc.mjs"),
  markdown: () => import("shiki/langs/markdown.mjs"),
  python: () => import("shiki/langs/python.mjs"),
  rust: () => import("shiki/langs/rust.mjs"),
  sql: () => import("shiki/langs/sql.mjs"),
  toml: () => import("shiki/langs/toml.mjs"),
  tsx: () => import("shiki/langs/tsx.mjs"),
  typescript: () => import("shiki/langs/typescript.mjs"),
  yaml: () => import("shiki/langs/yaml.mjs"),
}

const byExtension: Readonly<Record<string, string>> = {
  ...{
    sh: "bash",
    zsh: "bash",
    h: "c",
    cc: "c",
    cpp: "c",
    hpp: "c",
    htm: "html",
    vue: "html",
    svg: "html",
    xml: "html",
  },
  ...{ js: "tsx", jsx: "tsx", mjs: "tsx", cjs: "tsx", ts: "typescript", mts: "typescript", cts: "typescript" },
  ...{ md: "markdown", py: "python", rs: "rust", yml: "yaml", javascript: "tsx", shell: "bash" },
}

/** The language of a path by its ending, or of a name such as `ts`. */
function languageOf(path: string): string | undefined {
  const ending = path
    .slice(path.lastIndexOf("/") + 1)
    .split(".")
    .at(-1)!
    .toLowerCase()
  const name = Object.hasOwn(byExtension, ending) ? byExtension[ending]! : ending
  return Object.hasOwn(languages, name) ? name : undefined
}

// One highlighter for the page: it holds compiled grammars, which know nothing of calls.
let started: Promise<HighlighterCore> | undefined

async function load(language: string): Promise<HighlighterCore> {
  started ??= start()
  const highlighter = await started
  if (!highlighter.getLoadedLanguages().includes(language)) await highlighter.loadLanguage(languages[language]!)
  return highlighter
}

async function start(): Promise<HighlighterCore> {
  const [{ createHighlighterCore, createCssVariablesTheme }, { createJavaScriptRegexEngine }] = await Promise.all([
    import("shiki/core"),
    import("shiki/engine/javascript"),
  ])
  // The name of its variable gives the kind of a token; a class draws it.
  const theme = createCssVariablesTheme({ name: "haft", variablePrefix: "--haft-" })
  return createHighlighterCore({ themes: [theme], langs: [], engine: createJavaScriptRegexEngine({ forgiving: true }) })
}
