import type { ApiSession } from "@haft/contract"
import { useSentence } from "@haft/faces"
import { FileText } from "lucide-react"
import { api } from "../../api/client.js"
import { useResource } from "../../api/resource.js"
import { setQuery, usePlace } from "../../app/router.js"
import { TextBlock } from "../../parts/json-block.js"
import { Loaded, Notice } from "../../parts/states.js"
import { shortPath } from "../../session/short-path.js"
import { useWords } from "../../words/words.js"
import classes from "./sessions.module.css"
import { sessionsWords } from "./sessions.words.js"

/** The files that the session wrote, as they were right after a call. */
export function FilesAtMoment({ session: { id: session, directory }, call }: { session: ApiSession; call: string }) {
  const words = useWords(sessionsWords)
  const sentence = useSentence()
  const { query } = usePlace()
  const [files, retry] = useResource(`${session} ${call}`, (signal) => api.files(session, call, signal))
  return (
    <Loaded resource={files} retry={retry}>
      {({ files }) => {
        if (files.length === 0) return <Notice icon={FileText} title={words.filesNone} />
        const shown = files.filter(({ available }) => available)
        // What the call itself wrote is looked for most.
        const own = shown.find(({ callId }) => callId === call) ?? shown[0]
        const path = shown.find((file) => file.path === query.path)?.path ?? own?.path
        return (
          <div className={classes.files}>
            <ul>
              {files.map((file) => (
                <li key={file.path}>
                  <button
                    type="button"
                    aria-pressed={file.path === path}
                    disabled={!file.available}
                    title={file.reason === undefined ? file.path : sentence(file.reason)}
                    onClick={() => setQuery({ path: file.path })}
                  >
                    {shortPath(file.path, directory)} <small>{words.fileStates[file.state]}</small>
                    {file.reason !== undefined && <small>{sentence(file.reason)}</small>}
                  </button>
                </li>
              ))}
            </ul>
            {path !== undefined && <FileAtMoment session={session} call={call} path={path} />}
          </div>
        )
      }}
    </Loaded>
  )
}

function FileAtMoment({ session, call, path }: { session: string; call: string; path: string }) {
  const words = useWords(sessionsWords)
  const [file, retry] = useResource(`${session} ${call} ${path}`, (signal) => api.file(session, call, path, signal))
  return (
    <Loaded resource={file} retry={retry}>
      {({ state, text, truncated }) => (
        <div>
          {state === "absent" && <p>{words.fileStates.absent}</p>}
          {state !== "absent" && text === undefined && <p>{words.notText}</p>}
          {truncated && <p>{words.cut}</p>}
          {text !== undefined && <TextBlock label={path} text={text} />}
        </div>
      )}
    </Loaded>
  )
}
