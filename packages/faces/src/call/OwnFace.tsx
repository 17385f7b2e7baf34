import type { ComponentType } from "react"
import { defaultFaces } from "../default/default-faces.js"
import { FaceBoundary } from "./FaceBoundary.js"
import type { FaceTool } from "./face-tool.js"

type FaceName = keyof typeof defaultFaces
type PropsOf<Name extends FaceName> = Parameters<(typeof defaultFaces)[Name]>[0]

/** A face of the tool, or the default; one that throws gives way to the default. */
export function OwnFace<Name extends FaceName>({
  face,
  tool,
  props,
}: {
  readonly face: Name
  readonly tool: FaceTool
  readonly props: PropsOf<Name>
}) {
  const Default = defaultFaces[face] as unknown as ComponentType<PropsOf<Name>>
  const Own = tool.faces?.[face] as unknown as ComponentType<PropsOf<Name>> | undefined
  if (!Own) return <Default {...props} />
  return (
    <FaceBoundary instead={<Default {...props} />} resetOn={props}>
      <Own {...props} />
    </FaceBoundary>
  )
}
