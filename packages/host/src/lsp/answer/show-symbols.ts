import type { FileReader, LanguageItem } from "@haft/contract"
import type { JudgePath } from "./judged-paths.js"
import type { Shown } from "./show-places.js"
import type { CodeSymbol } from "./symbols-of.js"

/** Symbols as they are shown. Those in files that the call may not read are counted, not named. */
export async function showSymbols(
  symbols: readonly CodeSymbol[],
  { files, admits }: { readonly files: Pick<FileReader, "display">; readonly admits: JudgePath },
): Promise<Shown> {
  const items: LanguageItem[] = []
  let denied = 0
  for (const { path, line, character, name, kind } of symbols) {
    if (await admits(path)) {
      items.push({ path: files.display(path), line: line + 1, character: character + 1, text: name, kind })
    } else denied += 1
  }
  return { items, denied }
}
