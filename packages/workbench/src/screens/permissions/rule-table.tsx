import type { ApiRule } from "@haft/contract"
import { PlainText, Sentence, useSentence } from "@haft/faces"
import { TextInput } from "@mantine/core"
import { Search } from "lucide-react"
import { setQuery, usePlace } from "../../app/router.js"
import page from "../../parts/page.module.css"
import { StateBadge } from "../../parts/state-badge.js"
import { VerdictBadge } from "../../parts/verdict-badge.js"
import { useWords } from "../../words/words.js"
import classes from "./permissions.module.css"
import { permissionsWords } from "./permissions.words.js"

/** Every rule that holds here, with the place it was written in. */
export function RuleTable({ rules }: { rules: readonly ApiRule[] }) {
  const words = useWords(permissionsWords)
  const sentence = useSentence()
  const { q = "" } = usePlace().query
  const shown = rules.filter(({ text, action, where, why = "" }) =>
    `${action} ${text} ${where} ${why}`.toLowerCase().includes(q.toLowerCase()),
  )
  return (
    <section>
      <h2>{words.rules}</h2>
      <p className={page.soft}>{words.rulesWhat}</p>
      <TextInput
        data-search
        aria-label={words.filter}
        placeholder={words.filter}
        leftSection={<Search size={14} />}
        value={q}
        onChange={(event) => setQuery({ q: event.currentTarget.value })}
      />
      {shown.length === 0 && <p className={page.soft}>{words.none}</p>}
      <ul className={classes.list}>
        {shown.map((rule, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: two files may have the same rule.
          <li key={index} data-ignored={rule.ignored !== undefined || undefined}>
            <p>
              <VerdictBadge verdict={rule.action} />
              <code>
                <PlainText text={rule.text} />
              </code>
              {rule.final && <StateBadge tone="plain" text={words.final} />}
              {rule.secret && <StateBadge tone="plain" text={words.secret} />}
            </p>
            <p className={page.soft}>
              <PlainText text={rule.where} />
              {rule.why !== undefined && (
                <>
                  {" · "}
                  <Sentence text={rule.why} />
                </>
              )}
              {rule.ignored !== undefined && ` · ${words.ignored}: ${sentence(rule.ignored)}`}
            </p>
          </li>
        ))}
      </ul>
    </section>
  )
}
