import type { InterventionProps } from "@haft/contract"
import { JsonTree } from "../part/JsonTree.js"

/** The arguments, before the call runs. */
export function Intervention({ args }: InterventionProps) {
  return <JsonTree value={args} />
}
