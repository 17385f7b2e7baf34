import type { ToolFaces } from "@haft/contract"
import { resultFaces } from "@haft/faces"
import { PageInspector, PageResult, WebPlaceholder } from "./Web.js"

/** How a page or an answer of a server is shown. */
export const faces: ToolFaces = { Inspector: PageInspector, Placeholder: WebPlaceholder, ...resultFaces(PageResult) }
