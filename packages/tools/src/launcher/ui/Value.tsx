import type { InspectorProps } from "@haft/contract"
import { InspectorLine, JsonTree, knownArgs, PlainText, type ResultProps, recordOf, textAt } from "@haft/faces"

/** `2 + 2 = 4`. */
export function ValueInspector(props: InspectorProps) {
  const expression = expressionOf(knownArgs(props))
  const value = resultOf(props.pluginState)
  return (
    <InspectorLine
      props={props}
      subject={value === undefined ? expression : [expression, value].filter((part) => part !== undefined).join(" = ")}
    />
  )
}

export function ValueResult({ args, data }: ResultProps) {
  const value = resultOf(data)
  if (value === undefined) return <JsonTree value={data} />
  return (
    <p className="haft-sum">
      <code>
        <PlainText text={expressionOf(args) ?? ""} />
      </code>{" "}
      ={" "}
      <strong>
        <PlainText text={value} />
      </strong>
    </p>
  )
}

function expressionOf(args: unknown): string | undefined {
  return textAt(args, "expression") ?? textAt(args, "expr") ?? textAt(args, "number")
}

function resultOf(data: unknown): string | undefined {
  const { result } = recordOf(data)
  return ["string", "number", "boolean"].includes(typeof result) ? String(result) : undefined
}
