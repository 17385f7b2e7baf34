import type { JobRequests } from "../../job.js"
import { firstLine, refuse } from "../refuse.js"
import { collapse, type PageElement, parsePage, textBelow } from "./page-tree.js"
import { preparePage } from "./prepare-page.js"
import { isUnshown } from "./visibility.js"

/** Texts and attributes of elements, by CSS selectors. */
export async function selectHtml(request: JobRequests["selectHtml"]): Promise<readonly Record<string, string>[]> {
  const { html, row, fields, maxRows } = request
  const document = await parsePage(preparePage(html).html)
  const places = Object.entries(fields).map(([name, selector]) => [name, fieldPlace(selector)] as const)
  const found: Record<string, string>[] = []
  try {
    for (const element of document.querySelectorAll(row)) {
      if (found.length >= maxRows) break
      const record: Record<string, string> = {}
      for (const [name, place] of places) {
        const value = fieldValue(element, place)
        if (value !== undefined) record[name] = value
      }
      found.push(record)
    }
  } catch (error) {
    throw refuse("invalid_args", `a selector is not valid (${firstLine(error)})`)
  }
  return found
}

interface FieldPlace {
  readonly selector: string
  readonly attribute?: string
}

function fieldPlace(selector: string): FieldPlace {
  const at = selector.lastIndexOf("@")
  if (at === -1) return { selector: selector.trim() }
  return { selector: selector.slice(0, at).trim(), attribute: selector.slice(at + 1).trim() }
}

/** Undefined where the row has no such element or the element no such attribute. */
function fieldValue(row: PageElement, { selector, attribute }: FieldPlace): string | undefined {
  const element = selector === "" ? row : row.querySelector(selector)
  if (element === null) return undefined
  if (attribute !== undefined) return element.getAttribute(attribute) ?? undefined
  return collapse(textBelow(element, (node) => node !== element && isUnshown(node))).trim()
}
