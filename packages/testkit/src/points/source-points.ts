import { isBuiltin } from "node:module"
import type { ToolPackage } from "./point.js"

const importing = /(?:\bfrom\s*|\bimport\s*\(?\s*|\brequire\s*\(\s*)["']([^"']+)["']/g

/** What the sources of the work import and must not. */
export function imports(sources: ToolPackage["sources"]): readonly string[] {
  return Object.entries(sources).flatMap(([path, text]) =>
    [...text.matchAll(importing)]
      .map(([, name]) => name!)
      .filter((name) => isBuiltin(name) || /^react(?:-dom)?(?:\/|$)/.test(name))
      .map((name) => `${path} imports "${name}"`),
  )
}

const reached = [
  [/(?<![.\w])fetch\s*\(/, "calls fetch: use context.network"],
  [/(?<![.\w])process\s*[.[]/, "uses process: what it needs comes in its context"],
  [/(?<![.\w])(?:globalThis|global)\s*[.[]/, "uses globals: what it needs comes in its context"],
  [/(?<![.\w])(?:eval|Function)\s*\(/, "makes code of text"],
] as const

function withoutComments(text: string): string {
  return text.replace(/\/\*[\s\S]*?\*\/|(?<![:"'`])\/\/.*/g, "")
}

/** Where the sources of the work reach past their context. */
export function reaching(sources: ToolPackage["sources"]): readonly string[] {
  const built = imports(sources).filter((problem) => !problem.includes('"react'))
  const globals = Object.entries(sources).flatMap(([path, text]) =>
    reached.filter(([shape]) => shape.test(withoutComments(text))).map(([, words]) => `${path} ${words}`),
  )
  return [...built, ...globals]
}
