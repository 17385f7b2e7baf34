import type { StreamingProps } from "@haft/contract"
import { Terminal } from "../part/Terminal.js"

/** The output so far. */
export function Streaming({ output }: StreamingProps) {
  return output ? <Terminal text={output} live /> : null
}
