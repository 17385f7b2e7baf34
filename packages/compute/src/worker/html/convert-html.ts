import type { ConvertedHtml } from "@haft/contract"
import type { JobRequests } from "../../job.js"
import { limits } from "../../limits.js"
import { writeArticle } from "./article.js"
import { needsScript, pageFacts } from "./page-facts.js"
import { parsePage } from "./page-tree.js"
import { preparePage } from "./prepare-page.js"
import { writePage } from "./write-page.js"

/** A page as Markdown or plain text. */
export async function convertHtml(request: JobRequests["convertHtml"]): Promise<ConvertedHtml> {
  const { html, url, to, part } = request
  const prepared = preparePage(html)
  const document = await parsePage(prepared.html)
  const facts = pageFacts(document, url)
  const isPlain = to === "text"
  const isCareful = request.isCareful && prepared.tags <= limits.carefulTags
  const article = part === "article" ? await writeArticle({ document, facts, url, isPlain }, { isCareful }) : ""
  const text = article || writePage(document, { ...facts, isPlain, passOver: () => false })
  const { title, refresh } = facts
  return {
    text,
    part: article === "" ? "all" : "article",
    needsScript: needsScript(text, facts, prepared.scripts),
    ...(title !== undefined && { title }),
    ...(refresh !== undefined && { refresh }),
  }
}
