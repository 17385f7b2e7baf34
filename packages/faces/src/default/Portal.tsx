import type { PortalProps } from "@haft/contract"
import { JsonTree } from "../part/JsonTree.js"
import { useSay } from "../words/say.js"
import { Render } from "./Render.js"

/** Arguments and result, whole. */
export function Portal({ arguments: args, state, content = "", ...rest }: PortalProps) {
  const say = useSay()
  return (
    <div className="haft-portal">
      <section aria-label={say("arguments")}>
        <h3>{say("arguments")}</h3>
        <JsonTree value={args} />
      </section>
      <section aria-label={say("result")}>
        <h3>{say("result")}</h3>
        <Render {...rest} args={args} pluginState={state} content={content} />
      </section>
    </div>
  )
}
