import type { FaceArguments, FaceError } from "@haft/contract"
import type { ReactNode } from "react"
import { useSay } from "../words/say.js"
import { JsonTree } from "./JsonTree.js"
import { PlainText } from "./PlainText.js"
import { Sentence } from "./Sentence.js"

/** A short remark beside a result; the tone is a colour and never the only sign. */
export function Note({
  tone = "dim",
  children,
}: {
  readonly tone?: "dim" | "warn" | "bad"
  readonly children: ReactNode
}) {
  return (
    <p className="haft-note" data-tone={tone}>
      {typeof children === "string" ? <PlainText text={children} /> : children}
    </p>
  )
}

/** Why a call failed, and what to do now. What the arguments say is quoted as it is. */
export function ErrorNote({ error, args = {} }: { readonly error: FaceError; readonly args?: FaceArguments }) {
  const say = useSay()
  const values = Object.values(args).filter((value) => typeof value === "string")
  return (
    <div className="haft-error" role="note">
      <p className="haft-error-message">
        <code className="haft-chip" data-tone="bad">
          {String(error.type)}
        </code>{" "}
        <Sentence text={String(error.message)} values={values} />
      </p>
      {error.hint !== undefined && (
        <p>
          <strong>{say("hint")}:</strong> <Sentence text={String(error.hint)} values={values} />
        </p>
      )}
      {error.body !== undefined && error.body !== null && (
        <details className="haft-more">
          <summary>{say("details")}</summary>
          <JsonTree value={error.body} />
        </details>
      )}
    </div>
  )
}
