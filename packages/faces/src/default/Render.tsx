import type { RenderProps } from "@haft/contract"
import { JsonTree } from "../part/JsonTree.js"
import { ErrorNote } from "../part/Note.js"
import { TextView } from "../part/TextView.js"

/** The failure, else the data, else what the model read. */
export function Render({ pluginState, pluginError, content }: RenderProps) {
  if (pluginError) return <ErrorNote error={pluginError} />
  if (pluginState !== undefined && pluginState !== null) return <JsonTree value={pluginState} />
  return content === "" ? null : <TextView text={content} />
}
