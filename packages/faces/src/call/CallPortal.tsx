import { useContext, useState } from "react"
import { ModelEye, ModelText } from "../part/ModelEye.js"
import { LocaleContext } from "../words/locale.js"
import type { CallProps } from "./CallCard.js"
import { faceProps, inspectorProps, portalProps } from "./face-props.js"
import { OwnFace } from "./OwnFace.js"
import { PhaseMark } from "./PhaseMark.js"

/** One call on the whole page. The page draws the frame, and closes it. */
export function CallPortal({ call, tool }: Pick<CallProps, "call" | "tool">) {
  const [forModel, setForModel] = useState(false)
  const base = faceProps(call, tool, useContext(LocaleContext))
  return (
    <article className="haft-call haft-call-full" data-phase={call.phase} aria-label={base.words.title}>
      <header className="haft-call-head">
        <div className="haft-inspector">
          <OwnFace face="Inspector" tool={tool} props={inspectorProps(call, base)} />
        </div>
        <PhaseMark call={call} />
        <ModelEye model={call.model} on={forModel} onChange={setForModel} />
      </header>
      <div className="haft-call-body">
        {forModel ? (
          <ModelText model={call.model} />
        ) : (
          <OwnFace face="Portal" tool={tool} props={portalProps(call, base)} />
        )}
      </div>
    </article>
  )
}
