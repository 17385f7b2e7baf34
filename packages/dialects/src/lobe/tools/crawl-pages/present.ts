import { type OutputOf, type Present, text } from "@haft/contract"
import type { manifest } from "./manifest.js"

/** Each page under its address, then how many failed. */
export const present: Present<typeof manifest> = ({ pages, failed }) => {
  const note = failed === 0 ? [] : [`[${failed} of ${pages.length} pages could not be read]`]
  return [text([...pages.map(pageText), ...(pages.length > 1 ? note : [])].join("\n\n"))]
}

function pageText({ url, final_url, title, content, error }: OutputOf<typeof manifest>["pages"][number]): string {
  if (error !== undefined) return error
  const place = final_url ?? url
  return [title === undefined ? place : `${title}\n${place}`, content || "[The page is empty]"].join("\n\n")
}
