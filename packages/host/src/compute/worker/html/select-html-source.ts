/** The job `selectHtml`: texts and attributes of elements, by CSS selectors. */
export const selectHtmlSource = String.raw`
async function selectHtml({ html, row, fields, maxRows }) {
  const { parseHTML } = await load("linkedom")
  const { document } = parseHTML(preparePage(html).html)
  const places = Object.entries(fields).map(([name, selector]) => [name, fieldPlace(selector)])
  const found = []
  try {
    for (const element of document.querySelectorAll(row)) {
      if (found.length >= maxRows) break
      const record = {}
      for (const [name, place] of places) {
        const value = fieldValue(element, place)
        if (value !== undefined) record[name] = value
      }
      found.push(record)
    }
  } catch (error) {
    throw refuse("invalid_args", "a selector is not valid (" + String(error.message).split("\n")[0] + ")")
  }
  return { value: found }
}

function fieldPlace(selector) {
  const at = selector.lastIndexOf("@")
  return at === -1 ? { selector: selector.trim() } : { selector: selector.slice(0, at).trim(), attribute: selector.slice(at + 1).trim() }
}

/** Undefined where the row has no such element or the element no such attribute. */
function fieldValue(row, { selector, attribute }) {
  const element = selector === "" ? row : row.querySelector(selector)
  if (element === null) return undefined
  if (attribute !== undefined) return element.getAttribute(attribute) ?? undefined
  return collapse(textBelow(element, (node) => node !== element && isUnshown(node))).trim()
}
`
