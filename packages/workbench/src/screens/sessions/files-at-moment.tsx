import { FileText } from "lucide-react"
import { api } from "../../api/client.js"
import { useResource } from "../../api/resource.js"
import { setQuery, usePlace } from "../../app/router.js"
import { TextBlock } from "../../parts/json-block.js"
import { Loaded, Notice } from "../../parts/states.js"
import { useWords } from "../../words/words.js"
import classes from "./sessions.module.css"
import { sessionsWords } from "./sessions.words.js"

/** The files that the session wrote, as they were right after a call. */
export function FilesAtMoment({ session, call }: { session: string; call: string }) {
  const words = useWords(sessionsWords)
  const { path } = usePlace().query
  const [files, retry] = useResource(`${session} ${call}`, (signal) => api.files(session, call, signal))
  return (
    <Loaded resource={files} retry={retry}>
      {({ files }) =>
        files.length === 0 ? (
          <Notice icon={FileText} title={words.filesNone} />
        ) : (
          <div className={classes.files}>
            <ul>
              {files.map((file) => (
                <li key={file.path}>
                  <button
                    type="button"
                    aria-pressed={file.path === path}
                    disabled={!file.available}
                    title={file.reason}
                    onClick={() => setQuery({ path: file.path })}
                  >
                    {file.path} <small>{words.fileStates[file.state]}</small>
                    {file.reason !== undefined && <small>{file.reason}</small>}
                  </button>
                </li>
              ))}
            </ul>
            {path !== undefined && files.some((file) => file.path === path && file.available) ? (
              <FileAtMoment session={session} call={call} path={path} />
            ) : (
              <p>{words.chooseFile}</p>
            )}
          </div>
        )
      }
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
