import { defineTool, type OutputOf, type Present, type ToolMessages, text } from "@haft/contract"
import { manifest } from "./manifest.js"

/** Each page under its address, then how many failed. */
const present: Present<typeof manifest> = ({ pages, failed }) => {
  const note = failed === 0 ? [] : [`[${failed} of ${pages.length} pages could not be read]`]
  return [text([...pages.map(pageText), ...(pages.length > 1 ? note : [])].join("\n\n"))]
}

function pageText({ url, final_url, title, content, error }: OutputOf<typeof manifest>["pages"][number]): string {
  if (error !== undefined) return error
  const place = final_url ?? url
  return [title === undefined ? place : `${title}\n${place}`, content || "[The page is empty]"].join("\n\n")
}

/** The words of `crawl_pages` for people. */
const messages: ToolMessages = {
  en: { title: "Read pages", loading: "Reading pages", done: "Read pages" },
  "zh-CN": { title: "读取网页", loading: "正在读取网页", done: "已读取网页" },
}

/** Reads several pages of the web at once. */
export const crawlPages = defineTool({
  manifest,
  messages,
  present,
  execute: () => import("./execute.js"),
  examples: () => import("./examples.js"),
})
