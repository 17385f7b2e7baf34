import type { RenderProps } from "@haft/contract"
import { Attachments } from "../part/Attachments.js"
import { JsonTree } from "../part/JsonTree.js"
import { ErrorNote } from "../part/Note.js"
import { TextView } from "../part/TextView.js"

/** The failure, else the data, else what the model read; and what came with it. */
export function Render({ args, pluginState, pluginError, content, attachments }: RenderProps) {
  if (pluginError) return <ErrorNote error={pluginError} args={args} />
  const hasData = pluginState !== undefined && pluginState !== null
  if (!hasData && content === "" && !attachments?.length) return null
  return (
    <>
      {hasData ? <JsonTree value={pluginState} /> : content !== "" && <TextView text={content} />}
      <Attachments attachments={attachments} />
    </>
  )
}
