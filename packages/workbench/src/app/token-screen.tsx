import { Button, TextInput } from "@mantine/core"
import { KeyRound } from "lucide-react"
import { type FormEvent, useState } from "react"
import { keepToken } from "../api/token.js"
import { Notice } from "../parts/states.js"
import { useWords } from "../words/words.js"
import classes from "./shell.module.css"
import { shellWords } from "./shell.words.js"

/** Where a page without a token waits for one. */
export function TokenScreen({ wasWrong, entered }: { wasWrong: boolean; entered: () => void }) {
  const words = useWords(shellWords).token
  const [text, setText] = useState("")
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (text.trim() === "") return
    keepToken(text)
    entered()
  }
  return (
    <main className={classes.alone}>
      <Notice icon={KeyRound} title={words.title}>
        <p>{words.why}</p>
        <form onSubmit={submit}>
          <TextInput
            label={words.field}
            placeholder="http://127.0.0.1:4177/#token=…"
            type="password"
            autoComplete="off"
            value={text}
            onChange={(event) => setText(event.currentTarget.value)}
            error={wasWrong ? words.wrong : undefined}
            w={320}
            maw="80vw"
            mb="sm"
          />
          <Button type="submit">{words.open}</Button>
        </form>
      </Notice>
    </main>
  )
}
