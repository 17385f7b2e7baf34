import type { ApiAsk } from "@haft/contract"
import { visibleText } from "@haft/faces"
import { ActionIcon, Popover } from "@mantine/core"
import { Bell, BellRing } from "lucide-react"
import { lazy, Suspense, useEffect, useState } from "react"
import { useOverview } from "../session/overview.js"
import { useFormat } from "../words/format.js"
import { useWords } from "../words/words.js"
import classes from "./inbox.module.css"
import { useKeys } from "./keys.js"
import { addressOf, linkTo } from "./router.js"
import { shellWords } from "./shell.words.js"

const Call = lazy(async () => ({ default: (await import("../parts/call.js")).Call }))

/** What waits for the person, from any session; the tab's title counts it. */
export function InboxBell() {
  const words = useWords(shellWords)
  const { asks } = useOverview()
  const [isOpen, setOpen] = useState(false)
  useKeys({ inbox: () => focusAsk() || setOpen(true) })
  useEffect(() => {
    document.title = asks.length === 0 ? "Haft" : `(${asks.length}) Haft`
  }, [asks.length])
  const Icon = asks.length === 0 ? Bell : BellRing
  return (
    <Popover opened={isOpen} onChange={setOpen} position="bottom-end" width={460} trapFocus withinPortal>
      <Popover.Target>
        <ActionIcon
          className={classes.bell}
          data-count={asks.length || undefined}
          aria-label={`${words.inbox}: ${words.waiting(asks.length)}`}
          onClick={() => setOpen(!isOpen)}
        >
          <Icon size={16} />
          {asks.length > 0 && <span className={classes.count}>{asks.length}</span>}
        </ActionIcon>
      </Popover.Target>
      <Popover.Dropdown className={classes.inbox} aria-label={words.inbox}>
        <h2>{words.waiting(asks.length)}</h2>
        <Suspense>
          {asks.map((ask) => (
            <Waiting key={ask.id} ask={ask} />
          ))}
        </Suspense>
      </Popover.Dropdown>
    </Popover>
  )
}

function Waiting({ ask }: { ask: ApiAsk }) {
  const format = useFormat()
  const { title = ask.session.slice(0, 12) } = useOverview().open.find(({ id }) => id === ask.session) ?? {}
  const first = ask.kind === "question" ? ask.questions[0] : undefined
  return (
    <section className={classes.item}>
      <p>
        <a {...linkTo(addressOf(["chat", ask.session]))}>{visibleText(title)}</a> · {format.ago(ask.since)}
      </p>
      {ask.kind === "ask" ? (
        <Call
          session={ask.session}
          call={{
            id: ask.call,
            tool: ask.request.tool,
            phase: "awaiting-approval",
            request: ask.request,
            arguments: ask.request.arguments,
            startedAt: ask.since,
          }}
        />
      ) : (
        <a {...linkTo(addressOf(["chat", ask.session]))}>{visibleText(first?.question ?? "")}</a>
      )}
    </section>
  )
}

/** Brings the focus to the first ask on the screen; false when there is none. */
function focusAsk(): boolean {
  const ask = document.querySelector<HTMLElement>("main [data-ask]")
  ask?.focus()
  return ask !== null
}
