import type { Face, FaceArguments, FaceError, PortalProps, RenderProps } from "@haft/contract"
import type { ComponentType } from "react"
import { Render as DefaultRender } from "../default/Render.js"
import { JsonTree } from "../part/JsonTree.js"
import { ErrorNote } from "../part/Note.js"
import { useSay } from "../words/say.js"

/** What draws a result that has data. */
export interface ResultProps extends Pick<RenderProps, "args" | "details" | "attachments" | "metadata" | "identifier"> {
  /** The data of the envelope, an object of any shape. */
  readonly data: Readonly<Record<string, unknown>>
  readonly content: string
  /** On the whole page: nothing has to be short. */
  readonly isWhole: boolean
}

/** What draws a call that failed. */
export interface FailureProps extends Pick<ResultProps, "args" | "isWhole"> {
  readonly error: FaceError
}

/**
 * Render and Portal of a tool, made of how its data is drawn. A failure is drawn as one, and data that is no object by the
 * default; without any there is nothing to show.
 */
export function resultFaces(
  Draw: ComponentType<ResultProps>,
  Failure: ComponentType<FailureProps> = ErrorNote,
): {
  Render: Face<RenderProps>
  Portal: Face<PortalProps>
} {
  const Result = ({ isWhole, ...props }: RenderProps & { readonly isWhole: boolean }) => {
    const { pluginError, pluginState } = props
    if (pluginError) return <Failure error={pluginError} args={props.args} isWhole={isWhole} />
    if (!isObject(pluginState)) return <DefaultRender {...props} />
    return <Draw {...props} data={pluginState} isWhole={isWhole} />
  }
  return {
    Render: (props) => <Result {...props} isWhole={false} />,
    Portal: ({ arguments: args, state, content = "", ...rest }) => (
      <div className="haft-portal">
        <Result {...rest} args={args} pluginState={state} content={content} isWhole />
        <PortalArguments args={args} />
      </div>
    ),
  }
}

/** The arguments below a result on the whole page. */
function PortalArguments({ args }: { readonly args: FaceArguments }) {
  const say = useSay()
  return (
    <details className="haft-more">
      <summary>{say("arguments")}</summary>
      <JsonTree value={args} />
    </details>
  )
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return value !== null && typeof value === "object" && !Array.isArray(value)
}
