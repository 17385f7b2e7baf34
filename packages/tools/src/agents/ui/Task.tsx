import type { InspectorProps, StreamingProps } from "@haft/contract"
import {
  Chip,
  Facts,
  InspectorLine,
  knownArgs,
  Markdown,
  Note,
  type ResultProps,
  Terminal,
  textAt,
  textsAt,
  useWords,
} from "@haft/faces"
import { words } from "./words.js"

export function TaskInspector(props: InspectorProps) {
  const own = useWords(words)
  const args = knownArgs(props)
  const agent = textAt(args, "subagent_type")
  return (
    <InspectorLine props={props}>
      {agent !== undefined && <Chip>{agent.slice(0, 60)}</Chip>}
      {textAt(props.pluginState, "stopped") !== undefined && <Chip tone="warn">{own("stopped")}</Chip>}
    </InspectorLine>
  )
}

/** The task while it is written, then what the agent says. */
export function TaskStreaming({ args, output = "" }: StreamingProps) {
  const prompt = textAt(args, "prompt") ?? ""
  if (output !== "") return <Terminal text={output} live />
  return prompt === "" ? null : <Markdown text={prompt} />
}

export function TaskResult({ args, data, isWhole }: ResultProps) {
  const own = useWords(words)
  const output = textAt(data, "output")
  const prompt = textAt(args, "prompt")
  return (
    <>
      <Facts
        facts={{
          [own("goal")]: isWhole ? prompt : prompt?.slice(0, 300),
          [own("session")]: textAt(data, "session_id"),
          [own("stopped")]: textAt(data, "stopped"),
          [own("missingTools")]: textsAt(data, "missing_tools").join(", "),
        }}
      />
      {output === undefined ? <Note>{own("inBackground")}</Note> : <Markdown text={output} />}
    </>
  )
}
