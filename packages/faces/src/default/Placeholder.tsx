import type { PlaceholderProps } from "@haft/contract"
import { Skeleton } from "../part/Skeleton.js"

/** Grey lines where the result will be. */
export function Placeholder({ words }: PlaceholderProps) {
  return <Skeleton label={words.loading} rows={3} />
}
