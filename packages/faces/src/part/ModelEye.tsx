import type { CallView } from "@haft/contract"
import { type ReactNode, useState } from "react"
import { tokenEstimate } from "../text/amounts.js"
import { useSay } from "../words/say.js"
import { Note } from "./Note.js"
import { TextView } from "./TextView.js"

/** Lets a person switch between the result as they see it and the exact text that the model got. */
export function ModelEye({ call, children }: { readonly call: CallView; readonly children: ReactNode }) {
  const say = useSay()
  const [forModel, setForModel] = useState(false)
  if (call.content === undefined) return children
  return (
    <div className="haft-eye">
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset cannot be laid out as a row of tabs in every browser. */}
      <div className="haft-switch" role="group">
        <button type="button" aria-pressed={!forModel} onClick={() => setForModel(false)}>
          {say("personView")}
        </button>
        <button type="button" aria-pressed={forModel} onClick={() => setForModel(true)}>
          {say("modelView")}
        </button>
        <span className="haft-dim haft-number">{say("tokens", { n: tokenEstimate(call.content) })}</span>
      </div>
      {forModel ? <ModelText call={call} /> : children}
    </div>
  )
}

/** Exactly what the model read of a call, about how many tokens that is, and what it did not get. */
export function ModelText({ call }: { readonly call: CallView }) {
  const say = useSay()
  const { content, metadata } = call
  if (content === undefined) return <Note>{say("noModelText")}</Note>
  const path = metadata?.output_path
  return (
    <section aria-label={say("modelText")}>
      <TextView text={content} />
      {metadata?.truncated === true && (
        <Note tone="warn">{typeof path === "string" ? say("modelMissed", { path }) : say("modelCut")}</Note>
      )}
    </section>
  )
}
