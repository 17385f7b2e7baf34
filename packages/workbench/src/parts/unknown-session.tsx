import { visibleText } from "@haft/faces"
import { SearchX } from "lucide-react"
import { linkTo } from "../app/router.js"
import { useWords } from "../words/words.js"
import { Notice } from "./states.js"
import { stateWords } from "./states.words.js"

/** Where a session would be that the journal does not have. */
export function UnknownSession({ id }: { id: string }) {
  const words = useWords(stateWords)
  return (
    <Notice icon={SearchX} tone="bad" title={words.unknownSession(visibleText(id))}>
      <p>{words.unknownSessionWhy}</p>
      <a {...linkTo("/sessions")}>{words.allSessions}</a>
    </Notice>
  )
}
