import type { CallActions, CallView, FaceProps, Locale } from "@haft/contract"
import { ChevronDown, ChevronRight, Expand, Square } from "lucide-react"
import { type ReactNode, useContext, useId, useState } from "react"
import { IconButton } from "../part/Button.js"
import { ModelEye, ModelText } from "../part/ModelEye.js"
import { LocaleContext } from "../words/locale.js"
import { useSay } from "../words/say.js"
import { Ask } from "./Ask.js"
import { faceProps, inspectorProps, placeholderProps, renderProps, streamingProps } from "./face-props.js"
import type { FaceTool } from "./face-tool.js"
import { OwnFace } from "./OwnFace.js"
import { PhaseMark } from "./PhaseMark.js"

/** A call with the tool that it is a call of. */
export interface CallProps extends CallActions {
  readonly call: CallView
  readonly tool: FaceTool
}

/** One call: its header, and below it the face that its phase asks for. */
export function CallCard({ defaultOpen = true, ...props }: CallProps & { readonly defaultOpen?: boolean }) {
  const { call, tool, onOpen, onStop } = props
  const say = useSay()
  const locale = useContext(LocaleContext)
  const base = faceProps(call, tool, locale)
  const [open, setOpen] = useState(defaultOpen)
  const [forModel, setForModel] = useState(false)
  const bodyId = useId()
  const { title } = base.words
  // What waits for an answer cannot be folded away unseen.
  const isShown = open || call.phase === "awaiting-approval"
  const Toggle = isShown ? ChevronDown : ChevronRight
  return (
    <article className="haft-call" data-phase={call.phase} aria-label={`${title}: ${say(`phase.${call.phase}`)}`}>
      <header className="haft-call-head">
        <IconButton
          label={say(isShown ? "hideDetails" : "showDetails", { title })}
          expanded={isShown}
          controls={bodyId}
          onClick={() => setOpen(!isShown)}
        >
          <Toggle />
        </IconButton>
        <div className="haft-inspector">
          <OwnFace face="Inspector" tool={tool} props={inspectorProps(call, base)} />
        </div>
        <PhaseMark call={call} />
        <ModelEye model={call.model} on={forModel} onChange={setForModel} />
        {onStop && call.phase === "running" && (
          <IconButton label={say("stop")} onClick={onStop}>
            <Square />
          </IconButton>
        )}
        {onOpen && (
          <IconButton label={say("openFull", { title })} onClick={onOpen}>
            <Expand />
          </IconButton>
        )}
      </header>
      <div className="haft-call-body" id={bodyId} hidden={!isShown}>
        {isShown && (forModel ? <ModelText model={call.model} /> : bodies[call.phase](props, base, locale))}
      </div>
    </article>
  )
}

type Body = (props: CallProps, base: FaceProps, locale: Locale) => ReactNode

const streaming: Body = ({ call, tool }, base) => (
  <OwnFace face="Streaming" tool={tool} props={streamingProps(call, base)} />
)
const placeholder: Body = ({ call, tool }, base) => (
  <OwnFace face="Placeholder" tool={tool} props={placeholderProps(call, base)} />
)
const result: Body = ({ call, tool }, base) => <OwnFace face="Render" tool={tool} props={renderProps(call, base)} />

/** What is drawn below the header, by the phase of the call. */
const bodies: Readonly<Record<CallView["phase"], Body>> = {
  // Only a tool whose arguments are worth reading while they are written has something to show here.
  "args-streaming": (props, base, locale) => (props.tool.faces?.Streaming ? streaming(props, base, locale) : null),
  pending: placeholder,
  "awaiting-approval": (props, base) => <Ask {...props} base={base} />,
  running: (props, base, locale) => (props.call.output ? streaming : placeholder)(props, base, locale),
  ok: result,
  error: result,
  denied: result,
  aborted: result,
}
