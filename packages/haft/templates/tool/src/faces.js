import { Chip, InspectorLine, numberAt } from "haft/faces"
import { createElement } from "react"

/** The header of a call, drawn in every phase. The part says what the call is about, also while arguments stream in. */
function Inspector(props) {
  const words = numberAt(props.pluginState, "words")
  return createElement(InspectorLine, { props }, words !== undefined && createElement(Chip, null, String(words)))
}

/** The faces that differ from the defaults, which draw the others. */
export const faces = { Inspector }
