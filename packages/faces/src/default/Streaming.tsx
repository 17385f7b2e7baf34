import type { StreamingProps } from "@haft/contract"
import { TextView } from "../part/TextView.js"

/** The output so far, as text. */
export function Streaming({ output }: StreamingProps) {
  return output ? <TextView text={output} /> : null
}
