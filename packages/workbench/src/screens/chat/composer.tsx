import { Button, Textarea } from "@mantine/core"
import { CircleStop, SendHorizontal } from "lucide-react"
import { type KeyboardEvent, useState } from "react"
import { useWords } from "../../words/words.js"
import classes from "./chat.module.css"
import { chatWords } from "./chat.words.js"

/** Where the person writes. Enter sends, Shift-Enter breaks the line; what could not be sent stays. */
export function Composer({ send, stop }: { send: (text: string) => Promise<void>; stop?: () => void }) {
  const words = useWords(chatWords)
  const [text, setText] = useState("")
  const [isSending, setSending] = useState(false)
  const submit = async () => {
    if (text.trim() === "" || isSending) return
    setSending(true)
    try {
      await send(text)
      setText("")
    } finally {
      setSending(false)
    }
  }
  const press = (event: KeyboardEvent) => {
    // While a Chinese word is being composed, Enter chooses it.
    if (event.key !== "Enter" || event.shiftKey || event.nativeEvent.isComposing) return
    event.preventDefault()
    void submit()
  }
  return (
    <div className={classes.composer}>
      <Textarea
        className={classes.field}
        aria-label={words.message}
        placeholder={words.placeholder}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
        onKeyDown={press}
        autosize
        minRows={1}
        maxRows={10}
        size="sm"
      />
      {stop ? (
        <Button size="sm" variant="default" leftSection={<CircleStop size={14} />} onClick={stop}>
          {words.stop}
        </Button>
      ) : (
        <Button size="sm" leftSection={<SendHorizontal size={14} />} onClick={() => void submit()} loading={isSending}>
          {words.send}
        </Button>
      )}
    </div>
  )
}
