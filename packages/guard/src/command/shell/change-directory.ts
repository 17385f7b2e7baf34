import { type Argument, literal } from "../argument.js"
import { changeFolder } from "./change-folder.js"
import type { Scope } from "./scope.js"
import { countMentions } from "./variable-value.js"
import type { Walk } from "./walk.js"
import type { Outcome } from "./walk-script.js"

/** `cd`: where the shell is if it succeeds; if it fails, it stays. */
export function changeDirectory(walk: Walk, scope: Scope, words: readonly Argument[]): Outcome {
  const operands = words.filter((word) => word.kind !== "literal" || !/^(?:-[LPe@]+|--)$/.test(word.text))
  const target = operands[0] ?? literal(walk.context.home)
  const known =
    target.kind === "literal" &&
    operands.length < 2 &&
    // The shell then goes on with the path behind links, which is not known here.
    !words.some((word) => word.kind === "literal" && /^-[LPe@]*P/.test(word.text)) &&
    !/^(?:-|[-+]\d+)$/.test(target.text) &&
    target.text !== "" &&
    countMentions(scope.whole, "CDPATH") === 0 &&
    (operands.length > 0 || countMentions(scope.whole, "HOME") === 0)
  const success = known ? scope.places.map((place) => changeFolder(walk, place, target.text)) : [null]
  return { success: [...new Set(success)], failure: scope.places }
}
