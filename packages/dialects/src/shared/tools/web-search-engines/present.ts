import { type OutputOf, type Present, text } from "@haft/contract"
import type { manifest } from "./manifest.js"

/** Rows of four or five lines, or the same rows as JSON; the engines that failed stand apart. */
export const present: Present<typeof manifest> = ({ results, failed }, { format }) => {
  const failures = failed.map(({ engine, reason }) => `Failed: ${engine}: ${reason}`).join("\n")
  const notes = failures === "" ? [] : [text(failures)]
  if (format === "json") return [text(JSON.stringify(results, null, 2)), ...notes]
  if (results.length === 0) return [text("No results; try other words or engines"), ...notes]
  return [text(results.map(row).join("\n\n")), ...notes]
}

function row(result: OutputOf<typeof manifest>["results"][number], index: number): string {
  const { title, url, content, engines, published_date: published } = result
  return [
    `${index + 1}. ${title}`,
    `URL: ${url}`,
    ...(published === undefined ? [] : [`Published: ${published}`]),
    ...(content === "" ? [] : [content]),
    `(via ${engines.join(", ")})`,
  ].join("\n   ")
}
