import { shownName } from "./environment/programs.js"
import { noneOfRequest, type ViewedParts, viewOf } from "./plan/prepare-sandbox.js"
import { isVisible } from "./view/build-view.js"

/** Whether sandboxes on this ground show a program, whatever their rules are: one that a rule covers is not passed over. */
export function showsProgram(program: string, parts: Pick<ViewedParts, "ground" | "options" | "roots">): boolean {
  const view = viewOf({ ...parts, ...noneOfRequest })
  return shownName(program, (path) => isVisible(path, view)) !== undefined
}
