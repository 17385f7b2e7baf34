import type { PageElement } from "./page-tree.js"

const unshown = new Set(
  "script style noscript template title meta link base svg canvas object select datalist textarea rp".split(" "),
)
const notes = new Set(["span", "i", "b", "a", "sup", "button", "em", "small"])

/** Whether a reader of the page would not see the element. */
export function isUnshown(element: PageElement): boolean {
  const name = element.localName
  if (unshown.has(name)) return true
  if (element.hasAttribute("hidden")) return true
  if (name === "dialog" && !element.hasAttribute("open")) return true
  if (name === "input" && element.getAttribute("type") !== "checkbox") return true
  // Whole pages are marked so while a dialogue is open; only small parts are decoration.
  if (notes.has(name) && element.getAttribute("aria-hidden") === "true") return true
  const style = element.getAttribute("style")
  return style !== null && /(?:display\s*:\s*none|visibility\s*:\s*hidden)/i.test(style.slice(0, 2000))
}

const gutters = new Set(
  "lineno linenos linenodiv line-number line-numbers line-numbers-rows gutter blob-num hljs-ln-numbers copy-button".split(
    " ",
  ),
)

/** Line numbers and buttons beside code. */
export function isGutter(element: PageElement): boolean {
  return element.localName === "button" || classNames(element).some((name) => gutters.has(name))
}

const surroundings = new Set(["nav", "aside", "footer", "button"])
const surroundingRoles = new Set(
  "navigation banner contentinfo complementary search menu dialog alertdialog".split(" "),
)
const surroundingNames = new Set(
  [
    "sidebar side-bar breadcrumb breadcrumbs cookie-banner cookie-notice newsletter related-posts related-articles",
    "share-buttons social-share comments advertisement mw-editsection navbox mw-jump-link noprint skip-link",
    "site-header site-footer",
  ].flatMap((names) => names.split(" ")),
)

/** What is around an article and no part of it. */
export function isSurrounding(element: PageElement): boolean {
  if (surroundings.has(element.localName)) return true
  const role = element.getAttribute("role")
  if (role !== null && surroundingRoles.has(role)) return true
  return surroundingNames.has(element.id) || classNames(element).some((name) => surroundingNames.has(name))
}

export function classNames(element: PageElement): readonly string[] {
  const value = element.getAttribute("class")
  return value === null || value === "" ? [] : value.slice(0, 1000).toLowerCase().split(/\s+/)
}
