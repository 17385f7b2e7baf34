import type { Hunk, InspectorProps, PlaceholderProps, StreamingProps } from "@haft/contract"
import {
  Chip,
  callSubject,
  DiffTotals,
  DiffView,
  ErrorNote,
  type FailureProps,
  FileView,
  flagAt,
  InspectorLine,
  knownArgs,
  listAt,
  Note,
  numberAt,
  PlainText,
  type ResultProps,
  readHunks,
  recordOf,
  Skeleton,
  textAt,
  unifiedHunks,
  useSay,
  useWords,
} from "@haft/faces"
import { pathOf } from "./Read.js"
import { words } from "./words.js"

/** A changed file as the details of a call or its arguments tell it. */
interface ChangedFile {
  readonly path: string
  readonly action?: string
  readonly hunks: readonly Hunk[]
}

/** Path or number of files, and how many lines came and went. */
export function ChangeInspector(props: InspectorProps) {
  const say = useSay()
  const own = useWords(words)
  const args = knownArgs(props)
  const files = changedFiles(props.details, args)
  const hunks = files.flatMap((file) => file.hunks)
  const count = listAt(props.pluginState, "files").length
  return (
    <InspectorLine props={props} subject={callSubject(args) ?? files[0]?.path}>
      {count > 1 && <Chip>{say("files", { n: count })}</Chip>}
      {flagAt(props.pluginState, "created") && <Chip tone="good">{own("created")}</Chip>}
      {props.result?.error === undefined && hunks.length > 0 && <DiffTotals hunks={hunks} />}
    </InspectorLine>
  )
}

export function ChangePlaceholder({ words: { loading } }: PlaceholderProps) {
  return <Skeleton label={loading} rows={4} shape="lines" />
}

/** The new text as it is written: a diff of what goes and what comes, or the content of a file. */
export function ChangeStreaming({ args }: StreamingProps) {
  const path = pathOf(args) ?? ""
  const content = textAt(args, "content")
  if (content !== undefined) return <FileView text={content} path={path} />
  const hunks = writtenHunks(args)
  return hunks.length === 0 ? null : <DiffView path={path} hunks={hunks} />
}

/** The diff of each file; the content where a file was written anew and nothing is known of what it was. */
export function ChangeResult({ args, data, details }: ResultProps) {
  const say = useSay()
  const files = changedFiles(details, args)
  const content = textAt(args, "content")
  const hasHunks = files.some(({ hunks }) => hunks.length > 0)
  if (!hasHunks && content !== undefined) return <FileView text={content} path={pathOf(args) ?? ""} maxLines={24} />
  const replacements = numberAt(data, "replacements")
  return (
    <>
      {files.map((file, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a patch may name one file twice.
        <section key={index}>
          {files.length > 1 && (
            <p className="haft-file-head">
              <code>
                <PlainText text={file.path} />
              </code>
              {file.action !== undefined && <Chip>{file.action}</Chip>}
            </p>
          )}
          {file.hunks.length > 0 ? <DiffView path={file.path} hunks={file.hunks} /> : <Note>{say("nothing")}</Note>}
        </section>
      ))}
      {replacements !== undefined && replacements > 1 && <Note>{say("matches", { n: replacements })}</Note>}
    </>
  )
}

/** Why it failed. Where the file had changed since it was read: that change, and beside it the one that was wanted. */
export function ChangeFailure({ error, args }: FailureProps) {
  const own = useWords(words)
  const meanwhile = unifiedHunks(textAt(error.body, "diff") ?? "")
  if (meanwhile.length === 0) return <ErrorNote error={error} args={args} />
  const path = pathOf(args) ?? ""
  const content = textAt(args, "content")
  const wanted = writtenHunks(args)
  const { body: _diff, ...said } = error
  return (
    <>
      <ErrorNote error={{ ...said, message: error.message.split("\n")[0]! }} args={args} />
      <div className="haft-sides">
        <section>
          <p className="haft-dim">{own("meanwhile")}</p>
          <DiffView path={path} hunks={meanwhile} />
        </section>
        <section>
          <p className="haft-dim">{own("wanted")}</p>
          {wanted.length > 0 && <DiffView path={path} hunks={wanted} />}
          {wanted.length === 0 && content !== undefined && <FileView text={content} path={path} maxLines={40} />}
        </section>
      </div>
    </>
  )
}

/** What a call changed, best knowledge first: the hunks of its work, else those that its arguments name. */
function changedFiles(details: unknown, args: unknown): readonly ChangedFile[] {
  const path = pathOf(args) ?? ""
  const files = listAt(details, "files").map((file) => ({
    path: textAt(file, "path") ?? "",
    action: textAt(file, "action") ?? "",
    hunks: readHunks(recordOf(file).hunks),
  }))
  if (files.length > 0) return files
  const hunks = readHunks(recordOf(details).hunks)
  return [{ path, hunks: hunks.length > 0 ? hunks : writtenHunks(args) }]
}

/** The change that arguments spell out: an old and a new text, or a unified diff, as far as they are known. */
function writtenHunks(args: unknown): readonly Hunk[] {
  const diff = textAt(args, "diff") ?? textAt(args, "patch")
  if (diff !== undefined) return unifiedHunks(diff)
  const [old, now] = [textAt(args, "old_string"), textAt(args, "new_string")]
  if (old === undefined) return []
  const lines = [...signed(old, "-"), ...(now === undefined ? [] : signed(now, "+"))]
  return readHunks([{ oldStart: 1, newStart: 1, lines }])
}

function signed(text: string, sign: string): readonly string[] {
  return text === ""
    ? []
    : text
        .replace(/\r?\n$/, "")
        .split(/\r?\n/)
        .map((line) => sign + line)
}
