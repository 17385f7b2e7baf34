import { createRequire } from "node:module"

const require = createRequire(import.meta.url)

/** A function that turns a page into Markdown with nothing around the converter; the page is parsed beforehand. */
export function bareConverter(html: string): { prepare(): Promise<unknown>; run(page: unknown): string } {
  const { parseHTML } = require("linkedom") as { parseHTML(html: string): { document: { body: unknown } } }
  const Turndown = require("turndown") as new (options: object) => Converter
  const { gfm } = require("@joplin/turndown-plugin-gfm") as { gfm: unknown }
  const converter = new Turndown({ headingStyle: "atx", codeBlockStyle: "fenced" })
  converter.use(gfm)
  return {
    // Anew for each run: the converter changes what it converts.
    prepare: async () => parseHTML(html).document.body,
    run: (page) => converter.turndown(page),
  }
}

interface Converter {
  use(plugin: unknown): void
  turndown(page: unknown): string
}
