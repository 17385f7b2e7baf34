import { callSubject, type FaceArguments, type InspectorProps } from "@haft/contract"
import type { ReactNode } from "react"
import { Header } from "./Header.js"

/** What is known of the arguments, whether they are complete or not. */
export function knownArgs({ args, partialArgs }: Pick<InspectorProps, "args" | "partialArgs">): FaceArguments {
  return { ...partialArgs, ...args }
}

interface InspectorLineProps {
  readonly props: InspectorProps
  /** Where the result says it better than the arguments do. */
  readonly subject?: string | undefined
  /** Chips with counts and outcomes; drawn once the call has ended, because before that they would jump. */
  readonly children?: ReactNode
}

/** The header of a call in every phase: title, what it is about, and what came of it. */
export function InspectorLine({ props, subject, children }: InspectorLineProps) {
  const { isLoading = false, result } = props
  const about = subject ?? callSubject(knownArgs(props))
  return (
    <Header {...props} pulsing={isLoading} {...(about !== undefined && { subject: about })}>
      {result !== undefined && children}
    </Header>
  )
}
