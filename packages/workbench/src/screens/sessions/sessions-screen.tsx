import { usePlace } from "../../app/router.js"
import { SessionList } from "./session-list.js"
import { SessionView } from "./session-view.js"

/** All sessions, or one of them. */
export default function SessionsScreen() {
  const { path } = usePlace()
  return path[1] === undefined ? <SessionList /> : <SessionView key={path[1]} id={path[1]} />
}
