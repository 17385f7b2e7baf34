import type { Locale } from "@haft/contract"
import { Sentence } from "@haft/faces"
import { Button } from "@mantine/core"
import { MessageSquare, PlayCircle } from "lucide-react"
import { useEffect, useState } from "react"
import { api } from "../../api/client.js"
import type { RequestError } from "../../api/request.js"
import { useResource } from "../../api/resource.js"
import { addressOf, go, linkTo, usePlace } from "../../app/router.js"
import { useKnown } from "../../app/workspace.js"
import { Failed, Loaded, Waiting } from "../../parts/states.js"
import { useFormat } from "../../words/format.js"
import { useLanguage, useWords } from "../../words/words.js"
import classes from "./chat.module.css"
import { chatWords } from "./chat.words.js"
import { Composer } from "./composer.js"

/** Where a conversation begins: with a message, or with the tour. */
export function StartChat() {
  const words = useWords(chatWords)
  const { workspace } = useKnown()
  const { query } = usePlace()
  const [error, setError] = useState<RequestError>()
  const chat = workspace.at === "ready" ? workspace.value.chat : undefined
  const begin = async (work: () => Promise<string>) => {
    setError(undefined)
    try {
      go(addressOf(["chat", await work()]), { replace: true })
    } catch (error) {
      setError(error as RequestError)
    }
  }
  const send = (text: string) =>
    begin(async () => {
      const { id } = await api.openSession()
      await api.message(id, text)
      return id
    })
  const language = useLanguage()
  const isTour = query.tour === "start"
  // biome-ignore lint/correctness/useExhaustiveDependencies: the address alone starts the tour.
  useEffect(() => {
    if (isTour) void begin(() => startTour(language))
  }, [isTour])
  if (isTour && !error) return <Waiting />
  return (
    <div className={classes.start}>
      <MessageSquare size={28} aria-hidden />
      <h2>{words.start}</h2>
      <p>{words.startText}</p>
      {error && <Failed error={error} />}
      {chat && !chat.available && (
        <div className={classes.noModel} role="note">
          <b>{words.noModel}</b>
          <span>{chat.hint !== undefined && <Sentence text={chat.hint} />}</span>
        </div>
      )}
      {chat?.available && <Composer send={send} />}
      <div className={classes.tour}>
        <Button
          size="sm"
          variant={chat?.available ? "default" : "filled"}
          leftSection={<PlayCircle size={16} />}
          onClick={() => void begin(() => startTour(language))}
        >
          {words.tour}
        </Button>
        <span>{words.tourText}</span>
      </div>
      <Conversations />
    </div>
  )
}

let starting: Promise<string> | undefined

/** Starts one tour, however often a render asks for it. */
function startTour(language: Locale): Promise<string> {
  starting ??= api
    .tour(language)
    .then(({ session }) => session)
    .finally(() => {
      starting = undefined
    })
  return starting
}

function Conversations() {
  const words = useWords(chatWords)
  const format = useFormat()
  const [sessions, retry] = useResource("sessions", api.sessions)
  return (
    <Loaded resource={sessions} retry={retry} lines={3}>
      {(list) => {
        const chats = list.filter(({ title, parentId }) => title !== undefined && parentId === undefined).slice(0, 8)
        if (chats.length === 0) return null
        return (
          <section className={classes.recent}>
            <h3>{words.recent}</h3>
            <ul>
              {chats.map(({ id, title, updatedAt }) => (
                <li key={id}>
                  <a {...linkTo(addressOf(["chat", id]))}>{title}</a> <span>{format.ago(updatedAt)}</span>
                </li>
              ))}
            </ul>
          </section>
        )
      }}
    </Loaded>
  )
}
