import { Button } from "@mantine/core"
import { useEffect, useRef, useState } from "react"
import { streams } from "../api/client.js"
import { refreshResources } from "../api/resource.js"
import { useWords } from "../words/words.js"
import classes from "./connection-bar.module.css"
import { shellWords } from "./shell.words.js"

/** Says when the server is lost, and that it is back; loads everything again then. */
export function ConnectionBar() {
  const words = useWords(shellWords)
  const [state, setState] = useState<"fine" | "lost" | "back">("fine")
  const wasLost = useRef(false)
  useEffect(
    () =>
      streams.watchConnection((isConnected) => {
        if (!isConnected) {
          wasLost.current = true
          setState("lost")
        } else if (wasLost.current) {
          wasLost.current = false
          refreshResources()
          setState("back")
        }
      }),
    [],
  )
  useEffect(() => {
    if (state !== "back") return
    const timer = setTimeout(() => setState("fine"), 4000)
    return () => clearTimeout(timer)
  }, [state])
  if (state === "fine") return null
  return (
    <div className={classes.bar} data-state={state} role="status">
      <span>{state === "lost" ? words.connection.lost : words.connection.back}</span>
      {state === "lost" && (
        <Button size="compact-xs" variant="default" onClick={() => streams.retry()}>
          {words.connection.retry}
        </Button>
      )}
    </div>
  )
}
