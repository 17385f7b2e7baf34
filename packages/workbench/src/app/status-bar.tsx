import { useWords } from "../words/words.js"
import classes from "./shell.module.css"
import { shellWords } from "./shell.words.js"
import { useKnown } from "./workspace.js"

/** What holds for every call here: mode, sandbox, model, workspace. */
export function StatusBar() {
  const words = useWords(shellWords)
  const { workspace } = useKnown()
  if (workspace.at !== "ready") return <footer className={classes.status} />
  const { mode, sandbox, chat, directory, demo, version } = workspace.value
  return (
    <footer className={classes.status}>
      <span>
        {words.status.root} <b title={directory}>{demo ? words.status.demo : directory}</b>
      </span>
      <span>
        {words.status.mode} <b>{words.status.modes[mode]}</b>
      </span>
      <span>
        {words.status.sandbox}{" "}
        <b>{words.status.sandboxes[sandbox as keyof typeof words.status.sandboxes] ?? sandbox}</b>
      </span>
      <span>
        {words.status.model} <b>{chat.available ? chat.model : words.status.noModel}</b>
      </span>
      <span className={classes.push}>Haft {version}</span>
    </footer>
  )
}
