import type { InspectorProps } from "@haft/contract"
import { InspectorLine } from "../part/InspectorLine.js"

/** Title and what the call is about. */
export function Inspector(props: InspectorProps) {
  return <InspectorLine props={props} />
}
