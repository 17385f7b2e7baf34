import type { AskPreview, CommandPreview, FilePreview } from "@haft/contract"
import { sizeText } from "../text/amounts.js"
import { readHunks } from "../text/hunks.js"
import { useSay } from "../words/say.js"
import { useSentence } from "../words/sentence.js"
import { DiffView } from "./DiffView.js"
import { Facts } from "./Facts.js"
import { Chip } from "./Header.js"
import { Note } from "./Note.js"
import { PlainText } from "./PlainText.js"
import { Sentence } from "./Sentence.js"
import { TextView } from "./TextView.js"

/** What a call would do if it ran now. */
export function Preview({ preview, except }: { readonly preview: AskPreview; readonly except?: "files" }) {
  const say = useSay()
  const sentence = useSentence()
  const { files = [], command, hosts = [], problem, missing } = preview
  const named = hosts.map(({ host, port }) => (port ? `${host}:${port}` : host)).join(", ")
  return (
    <div className="haft-preview">
      {problem !== undefined && <Note tone="bad">{say("problemNow", { problem: sentence(problem) })}</Note>}
      {missing !== undefined && <Note>{say("noPreview", { reason: sentence(missing) })}</Note>}
      {except !== "files" && files.map((file) => <PreviewedFile key={`${file.action} ${file.path}`} file={file} />)}
      {command && <PreviewedCommand command={command} />}
      {/* A command has said already which hosts it reaches. */}
      {named !== command?.hosts.join(", ") && <Facts facts={{ [say("hosts")]: named }} />}
    </div>
  )
}

/** What would become of one file. */
export function PreviewedFile({ file, children }: { readonly file: FilePreview; readonly children?: React.ReactNode }) {
  const say = useSay()
  const hunks = readHunks(file.hunks)
  return (
    <section>
      <p className="haft-file-head">
        <code>
          <PlainText text={file.path} />
        </code>
        {file.to !== undefined && (
          <>
            <span aria-hidden>→</span>
            <code>
              <PlainText text={file.to} />
            </code>
          </>
        )}
        <Chip {...(file.action === "delete" && { tone: "bad" as const })}>{say(`action.${file.action}`)}</Chip>
        {file.bytesAfter !== undefined && <span className="haft-dim haft-number">{sizeText(file.bytesAfter)}</span>}
      </p>
      {children ?? (hunks.length > 0 && <DiffView path={file.path} hunks={hunks} />)}
      {(file.linesLeftOut ?? 0) > 0 && <Note>{say("moreLines", { n: file.linesLeftOut! })}</Note>}
      {file.note !== undefined && (
        <Note>
          <Sentence text={file.note} />
        </Note>
      )}
    </section>
  )
}

function PreviewedCommand({ command }: { readonly command: CommandPreview }) {
  const say = useSay()
  const { profile, hosts, protectedNames, script, formerScript } = command
  return (
    <>
      <Facts
        facts={{
          [say("sandboxProfile")]: <Chip {...(profile === "none" && { tone: "bad" as const })}>{profile}</Chip>,
          [say("network")]: hosts.length === 0 ? say("noNetwork") : hosts.join(", "),
          [say("protectedNames")]: protectedNames.join(", "),
        }}
      />
      {script !== undefined && (
        <section>
          <p className="haft-dim">{say("script")}</p>
          <TextView text={script} label={say("script")} />
        </section>
      )}
      {typeof formerScript === "string" && (
        <section>
          <p className="haft-dim">{say("formerScript")}</p>
          <TextView text={formerScript} label={say("formerScript")} />
        </section>
      )}
    </>
  )
}
