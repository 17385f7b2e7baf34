import type { ApiExplanation, Rule } from "@haft/contract"
import { LadderReason, LadderTable } from "@haft/faces"
import { Button, Select, Textarea } from "@mantine/core"
import { type FormEvent, useEffect, useState } from "react"
import { api } from "../../api/client.js"
import type { RequestError } from "../../api/request.js"
import { setQuery, usePlace } from "../../app/router.js"
import { useKnown } from "../../app/workspace.js"
import page from "../../parts/page.module.css"
import { Failed } from "../../parts/states.js"
import { VerdictBadge } from "../../parts/verdict-badge.js"
import { ownSession } from "../../session/own-session.js"
import { useWords } from "../../words/words.js"
import { permissionsWords } from "./permissions.words.js"

/** Why a call would be allowed, denied or asked about. Nothing runs. */
export function ExplainCall({ propose }: { propose: (rule: Rule) => void }) {
  const words = useWords(permissionsWords)
  const { query } = usePlace()
  const { tools } = useKnown()
  const [tool, setTool] = useState(query.tool ?? null)
  const [text, setText] = useState(query.args ?? "{}")
  const { explain, problem, explanation, error } = useExplanation(tool, text)
  // biome-ignore lint/correctness/useExhaustiveDependencies: a link that names a call explains it at once, and once.
  useEffect(() => {
    if (query.tool !== undefined) void explain()
  }, [])
  const submit = (event: FormEvent) => {
    event.preventDefault()
    void explain()
  }
  return (
    <section className={page.card}>
      <h2>{words.explain}</h2>
      <p className={page.soft}>{words.explainWhat}</p>
      <form onSubmit={submit}>
        <Select
          label={words.tool}
          placeholder={words.chooseTool}
          searchable
          data={tools.at === "ready" ? tools.value.map(({ id }) => id) : []}
          value={tool}
          onChange={setTool}
          mb="sm"
        />
        <Textarea
          label={words.args}
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
          error={problem}
          autosize
          minRows={2}
          maxRows={10}
          spellCheck={false}
          mb="sm"
          styles={{ input: { fontFamily: "var(--mono)" } }}
        />
        <Button type="submit" disabled={tool === null}>
          {words.ask}
        </Button>
      </form>
      {error && <Failed error={error} />}
      {explanation && <Explained explanation={explanation} propose={propose} />}
    </section>
  )
}

/** What is known of the call with these arguments as text, once `explain` has asked for it. */
function useExplanation(tool: string | null, text: string) {
  const words = useWords(permissionsWords)
  const [problem, setProblem] = useState<string>()
  const [explanation, setExplanation] = useState<ApiExplanation>()
  const [error, setError] = useState<RequestError>()
  const explain = async () => {
    const args = objectOf(text)
    setProblem(args ? undefined : words.notJson)
    if (!args || tool === null) return
    setError(undefined)
    setQuery({ tool, args: text === "{}" ? undefined : text })
    try {
      setExplanation(await api.explain(await ownSession(), { tool, args }))
    } catch (error) {
      setExplanation(undefined)
      setError(error as RequestError)
    }
  }
  return { explain, problem, explanation, error }
}

function Explained({ explanation, propose }: { explanation: ApiExplanation; propose: (rule: Rule) => void }) {
  const words = useWords(permissionsWords)
  const { ladder } = explanation
  return (
    <>
      <div role="status" className={page.row}>
        <VerdictBadge verdict={ladder.verdict} />
        <LadderReason ladder={ladder} />
      </div>
      <LadderTable ladder={ladder} open />
      {ladder.remedy && (
        <div className={page.row}>
          <Button variant="default" onClick={() => propose(ladder.remedy!)}>
            {words.fromRemedy}
          </Button>
          <code>
            {ladder.remedy.permission}({ladder.remedy.pattern ?? "*"})
          </code>
        </div>
      )}
    </>
  )
}

function objectOf(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === "object" && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : undefined
  } catch {
    // The caller says that it is no JSON.
    return undefined
  }
}
