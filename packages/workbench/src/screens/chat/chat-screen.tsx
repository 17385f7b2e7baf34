import { usePlace } from "../../app/router.js"
import { Conversation } from "./conversation.js"
import { StartChat } from "./start-chat.js"

/** A conversation, or where one begins. */
export default function ChatScreen() {
  const { path } = usePlace()
  const id = path[1]
  return id === undefined ? <StartChat /> : <Conversation key={id} id={id} />
}
