import type { Action, ApiRuleScope, ApiRules, ApiRuleTried, Rule } from "@haft/contract"
import { Button, SegmentedControl, Select, TextInput } from "@mantine/core"
import { useState } from "react"
import { api } from "../../api/client.js"
import type { RequestError } from "../../api/request.js"
import { addressOf, linkTo } from "../../app/router.js"
import page from "../../parts/page.module.css"
import { Failed } from "../../parts/states.js"
import { verdictWords } from "../../parts/verdict.words.js"
import { VerdictBadge } from "../../parts/verdict-badge.js"
import { useWords } from "../../words/words.js"
import classes from "./permissions.module.css"
import { permissionsWords } from "./permissions.words.js"

/** A rule that is not saved yet: first it is tried on what was really called. */
export function DraftRule(props: { proposed: Rule | undefined; scopes: ApiRules["scopes"]; saved: () => void }) {
  const words = useWords(permissionsWords)
  const verdicts = useWords(verdictWords)
  const [action, setAction] = useState<Action>(props.proposed?.action ?? "ask")
  const [permission, setPermission] = useState(props.proposed?.permission ?? "")
  const [pattern, setPattern] = useState(props.proposed?.pattern ?? "")
  const [why, setWhy] = useState("")
  const [scope, setScope] = useState<ApiRuleScope>(props.scopes[0]?.scope ?? "user")
  const rule = { action, permission: permission.trim(), ...(pattern !== "" && { pattern }), ...(why !== "" && { why }) }
  const trial = useTrial(rule, scope, props.saved)
  return (
    <section className={page.card}>
      <h2>{words.draft}</h2>
      <p className={page.soft}>{words.draftWhat}</p>
      <div className={classes.fields}>
        <SegmentedControl
          aria-label={words.action}
          value={action}
          onChange={(next) => setAction(next as Action)}
          data={(["allow", "ask", "deny"] as const).map((value) => ({ value, label: verdicts[value] }))}
        />
        <TextInput
          label={words.permission}
          description={words.permissionHow}
          value={permission}
          onChange={(event) => setPermission(event.currentTarget.value)}
        />
        <TextInput
          label={words.pattern}
          description={words.patternHow}
          value={pattern}
          onChange={(event) => setPattern(event.currentTarget.value)}
        />
        <TextInput label={words.reason} value={why} onChange={(event) => setWhy(event.currentTarget.value)} />
        <Select
          label={words.saveIn}
          value={scope}
          onChange={(next) => setScope(next as ApiRuleScope)}
          data={props.scopes.map(({ scope, file }) => ({ value: scope, label: `${words.scopes[scope]} (${file})` }))}
        />
      </div>
      <div className={page.row}>
        <Button variant="default" onClick={() => void trial.run()} disabled={rule.permission === ""}>
          {words.try}
        </Button>
        <Button onClick={() => void trial.save()} disabled={!trial.isFresh}>
          {words.save}
        </Button>
        {!trial.isFresh && <span className={page.soft}>{words.tryFirst}</span>}
      </div>
      {trial.error && <Failed error={trial.error} />}
      {trial.said !== undefined && <p role="status">{trial.said}</p>}
      {trial.tried && <Tried tried={trial.tried} />}
    </section>
  )
}

/** Trying and saving; what was tried must be exactly what is saved. */
function useTrial(rule: Rule, scope: ApiRuleScope, saved: () => void) {
  const words = useWords(permissionsWords)
  const [outcome, setOutcome] = useState<{ of: string; tried: ApiRuleTried }>()
  const [error, setError] = useState<RequestError>()
  const [said, setSaid] = useState<string>()
  const name = JSON.stringify([rule, scope])
  const attempt = async (work: () => Promise<void>) => {
    setError(undefined)
    setSaid(undefined)
    await work().catch(setError)
  }
  return {
    isFresh: outcome?.of === name,
    tried: outcome?.of === name ? outcome.tried : undefined,
    error,
    said,
    run: () => attempt(async () => setOutcome({ of: name, tried: await api.tryRules({ add: [rule], scope }) })),
    save: () =>
      attempt(async () => {
        const { file, line, added } = await api.saveRule({ rule, scope })
        setSaid(added ? words.saved(`${file}:${line}`) : words.wasThere)
        saved()
      }),
  }
}

function Tried({ tried }: { tried: ApiRuleTried }) {
  const words = useWords(permissionsWords)
  return (
    <div role="status">
      <p>
        <b>{words.tried(tried.tried)}</b>
        {tried.unjudged > 0 && ` · ${words.unjudged(tried.unjudged)}`}
      </p>
      <p>{tried.changes.length === 0 ? words.noChange : words.changes}</p>
      <ul className={classes.list}>
        {tried.changes.slice(0, 50).map(({ session, callId, tool, arguments: args, before, after }) => (
          <li key={callId}>
            <p>
              <VerdictBadge verdict={before} /> → <VerdictBadge verdict={after} />
              <a {...linkTo(addressOf(["sessions", session], { call: callId }))}>{tool}</a>
              <code>{JSON.stringify(args).slice(0, 120)}</code>
            </p>
          </li>
        ))}
      </ul>
    </div>
  )
}
