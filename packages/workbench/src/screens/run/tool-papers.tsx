import type { ApiTool } from "@haft/contract"
import { SegmentedControl } from "@mantine/core"
import { useState } from "react"
import { api } from "../../api/client.js"
import { useResource } from "../../api/resource.js"
import { JsonBlock } from "../../parts/json-block.js"
import { Loaded } from "../../parts/states.js"

/** The schemas of a tool, or its definition as each provider and protocol takes it. */
export function ToolPapers({ tool, paper }: { tool: ApiTool; paper: "schema" | "docs" }) {
  const [detail, retry] = useResource(tool.id, (signal) => api.tool(tool.id, signal))
  if (paper === "schema") return <Choice papers={{ input: tool.input_schema, output: tool.output_schema }} />
  return (
    <Loaded resource={detail} retry={retry}>
      {({ definitions }) => <Choice papers={definitions} />}
    </Loaded>
  )
}

function Choice({ papers }: { papers: Readonly<Record<string, unknown>> }) {
  const names = Object.keys(papers)
  const [chosen, setChosen] = useState(names[0] ?? "")
  return (
    <>
      <SegmentedControl data={names} value={chosen} onChange={setChosen} mb="sm" />
      <JsonBlock value={papers[chosen]} />
    </>
  )
}
