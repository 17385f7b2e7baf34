import { Button } from "@mantine/core"
import { Upload } from "lucide-react"
import { type DragEvent, type ReactNode, useRef, useState } from "react"
import { api } from "../../api/client.js"
import { RequestError } from "../../api/request.js"
import { addressOf, go } from "../../app/router.js"
import { Failed } from "../../parts/states.js"
import { useWords } from "../../words/words.js"
import classes from "./sessions.module.css"
import { sessionsWords } from "./sessions.words.js"

const maxBytes = 64 * 1024 * 1024

/** Takes an exported session that is dropped on what it contains; the server checks the record before it keeps it. */
export function ImportDrop({ children }: { children: ReactNode }) {
  const words = useWords(sessionsWords)
  const [state, setState] = useState<"idle" | "over" | "reading">("idle")
  const [error, setError] = useState<RequestError>()
  const input = useRef<HTMLInputElement>(null)
  const take = async (file: File | undefined) => {
    if (!file) return setState("idle")
    setState("reading")
    setError(undefined)
    try {
      if (file.size > maxBytes) throw new RequestError(413, "too_large", words.tooLarge)
      const { id } = await api.importSession(await file.text())
      go(addressOf(["sessions", id]))
    } catch (problem) {
      setError(problem as RequestError)
    } finally {
      setState("idle")
    }
  }
  const drop = (event: DragEvent) => {
    event.preventDefault()
    void take(event.dataTransfer.files[0])
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the button below does the same with keys.
    <div
      className={classes.drop}
      data-over={state === "over" || undefined}
      onDragOver={(event) => {
        event.preventDefault()
        setState("over")
      }}
      onDragLeave={() => setState("idle")}
      onDrop={drop}
    >
      {children}
      <div className={classes.import}>
        <Upload size={16} aria-hidden />
        <span role="status">{state === "reading" ? words.importing : words.drop}</span>
        <Button variant="default" onClick={() => input.current?.click()}>
          {words.choose}
        </Button>
        <input
          ref={input}
          type="file"
          hidden
          aria-label={words.choose}
          accept=".jsonl,application/jsonl,application/x-ndjson"
          onChange={(event) => void take(event.currentTarget.files?.[0])}
        />
      </div>
      {error && <Failed error={error} />}
    </div>
  )
}
