import type { FaceArguments, InspectorProps, InterventionProps, PlaceholderProps, StreamingProps } from "@haft/contract"
import {
  ArgumentsEditor,
  Chip,
  Facts,
  FileView,
  flagAt,
  InspectorLine,
  Note,
  numberAt,
  Preview,
  type ResultProps,
  recordOf,
  Switch,
  sizeText,
  Terminal,
  textAt,
  textsAt,
  useSay,
  useSentence,
  useWords,
} from "@haft/faces"
import { useEffect, useState } from "react"
import { words } from "./words.js"

/** The command or what it is for, and how it ended. */
export function CommandInspector(props: InspectorProps) {
  return (
    <InspectorLine props={props}>
      <Ending data={props.pluginState} />
    </InspectorLine>
  )
}

/** How a process ended, or that it goes on. */
function Ending({ data }: { readonly data: unknown }) {
  const say = useSay()
  const own = useWords(words)
  const code = numberAt(data, "exit_code")
  const state = textAt(data, "state")
  if (flagAt(data, "timed_out")) return <Chip tone="warn">{say("timedOut")}</Chip>
  if (code !== undefined)
    return <Chip tone={code === 0 ? "good" : "bad"}>{say("exitCode", { code: String(code) })}</Chip>
  const isState = state === "running" || state === "exited" || state === "stopped"
  return isState ? <Chip>{own(state)}</Chip> : null
}

/** A terminal with the command in it. */
export function CommandPlaceholder({ args }: PlaceholderProps) {
  return <Terminal text="" command={commandOf(args ?? {}) ?? ""} live />
}

/** The command while it is written, then its output as it comes. */
export function CommandStreaming({ args, output = "", startedAt, isArgumentsStreaming = false }: StreamingProps) {
  const command = commandOf(args) ?? ""
  if (isArgumentsStreaming && command === "") return null
  return (
    <>
      <Terminal text={output} command={command} live />
      {!isArgumentsStreaming && <Progress output={output} startedAt={startedAt} />}
    </>
  )
}

function Progress({ output, startedAt }: { readonly output: string; readonly startedAt: number | undefined }) {
  const say = useSay()
  const [now, setNow] = useState<number>()
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1000)
    return () => clearInterval(timer)
  }, [])
  const seconds = now === undefined || startedAt === undefined ? 0 : Math.max(0, Math.round((now - startedAt) / 1000))
  return (
    <p className="haft-dim haft-number">
      {say("elapsed", { seconds })} · {sizeText(output.length)}
    </p>
  )
}

/** The command and how it would run, to be changed before it does. */
export function CommandIntervention({ args, request, onArgsChange }: InterventionProps) {
  return (
    <>
      <CommandText args={args} />
      {request?.preview && <Preview preview={request.preview} />}
      <ArgumentsEditor args={args} onChange={onArgsChange} except={["command", "code"]} />
    </>
  )
}

function CommandText({ args }: { readonly args: FaceArguments }) {
  const code = textAt(args, "code")
  if (code === undefined) return <Terminal text="" command={commandOf(args) ?? ""} live />
  return <FileView text={code} path={textAt(args, "language") ?? "text"} />
}

/** The end of the output in its colours, then what the command changed and how it was confined. */
export function CommandResult({ args, data, isWhole }: ResultProps) {
  const own = useWords(words)
  const [stream, setStream] = useState<"both" | "out" | "errors">("both")
  const { text, out, errors } = outputOf(data)
  const shown = { both: text, out, errors }[stream]
  const lost = numberAt(data, "lost_bytes")
  return (
    <>
      {errors !== "" && out !== "" && (
        <Switch
          label={own("streams")}
          value={stream}
          onChange={setStream}
          options={{ both: own("both"), out: own("onlyOut"), errors: own("onlyErrors") }}
        />
      )}
      {lost !== undefined && <Note>{own("lostBytes", { n: lost })}</Note>}
      <Terminal text={shown} command={commandOf(args) ?? ""} maxLines={isWhole ? 2000 : 30} />
      <Outcome data={data} />
    </>
  )
}

function Outcome({ data }: Pick<ResultProps, "data">) {
  const own = useWords(words)
  const sentence = useSentence()
  const changes = recordOf(data.changes)
  const isolation = recordOf(data.isolation)
  const paths = (key: string) => textsAt(changes, key).join(", ")
  const [incomplete, note] = [textAt(changes, "note"), textAt(data, "note")]
  const sandbox = [textAt(isolation, "level"), textAt(isolation, "backend"), textAt(isolation, "profile")]
  return (
    <>
      <Facts
        facts={{
          [own("written")]: paths("written"),
          [own("deleted")]: paths("deleted"),
          [own("unexpected")]: paths("unexpected"),
          [own("protectedCreated")]: paths("protected_created"),
          [own("refused")]: textsAt(data, "refused").join(", "),
          [own("signal")]: textAt(data, "signal"),
          [own("image")]: textAt(isolation, "image"),
          [own("sandbox")]: sandbox.filter((part) => part !== undefined).join(" · "),
          [own("network")]: textAt(isolation, "network"),
        }}
      />
      {changes.complete === false && (
        <Note tone="warn">{incomplete === undefined ? own("incomplete") : sentence(incomplete)}</Note>
      )}
      {note !== undefined && <Note>{sentence(note)}</Note>}
    </>
  )
}

/** Both streams in the order in which they were read, and each alone. */
function outputOf(data: Readonly<Record<string, unknown>>) {
  const [out, errors] = [textAt(data, "stdout") ?? textAt(data, "output") ?? "", textAt(data, "stderr") ?? ""]
  const order = Array.isArray(data.order) ? data.order.filter((length) => Number.isInteger(length) && length >= 0) : []
  if (order.length === 0) return { text: joined(out, errors), out, errors }
  const at = [0, 0]
  const runs = order.map((length: number, index) => {
    const stream = index % 2
    const start = at[stream]!
    at[stream] = start + length
    return (stream === 0 ? out : errors).slice(start, start + length)
  })
  // An order that does not fit its texts must not hide anything.
  return { text: joined(runs.join("") + out.slice(at[0]), errors.slice(at[1])), out, errors }
}

function joined(one: string, other: string): string {
  return one === "" || other === "" || one.endsWith("\n") ? one + other : `${one}\n${other}`
}

/** The command line of a call: itself, a program with its words, code, or the job that it is about. */
function commandOf(args: FaceArguments): string | undefined {
  const program = textAt(args, "command")
  const more = textsAt(args, "args").map((word) => (/^[\w./:=@%+,-]+$/.test(word) ? word : JSON.stringify(word)))
  if (program !== undefined) return [program, ...more].join(" ")
  return textAt(args, "code") ?? textAt(args, "id")
}
