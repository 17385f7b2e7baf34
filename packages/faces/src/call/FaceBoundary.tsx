import { Component, type ReactNode } from "react"
import { Note } from "../part/Note.js"
import { useSay } from "../words/say.js"

interface BoundaryProps {
  readonly children: ReactNode
  /** What is drawn where the children throw. */
  readonly instead: ReactNode
  /** Another value is another try: data that is complete may draw where half of it did not. */
  readonly resetOn: object
}

interface BoundaryState {
  readonly failed: boolean
  readonly triedWith?: object
}

/** Keeps a face that throws on unexpected data from taking the page with it. */
export class FaceBoundary extends Component<BoundaryProps, BoundaryState> {
  override state: BoundaryState = { failed: false }

  static getDerivedStateFromError(): Partial<BoundaryState> {
    return { failed: true }
  }

  static getDerivedStateFromProps({ resetOn }: BoundaryProps, { triedWith }: BoundaryState): BoundaryState | null {
    return triedWith === resetOn ? null : { failed: false, triedWith: resetOn }
  }

  override render(): ReactNode {
    if (!this.state.failed) return this.props.children
    return (
      <>
        <Failed />
        {this.props.instead}
      </>
    )
  }
}

function Failed() {
  const say = useSay()
  return <Note tone="warn">{say("faceFailed")}</Note>
}
