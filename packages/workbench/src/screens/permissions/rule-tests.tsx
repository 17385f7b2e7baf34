import type { ApiRuleTests } from "@haft/contract"
import { Button } from "@mantine/core"
import { useState } from "react"
import { api } from "../../api/client.js"
import type { RequestError } from "../../api/request.js"
import page from "../../parts/page.module.css"
import { StateBadge } from "../../parts/state-badge.js"
import { Failed } from "../../parts/states.js"
import { useWords } from "../../words/words.js"
import { permissionsWords } from "./permissions.words.js"

/** Every rule against the samples that it carries. */
export function RuleTests() {
  const words = useWords(permissionsWords)
  const [tests, setTests] = useState<ApiRuleTests>()
  const [error, setError] = useState<RequestError>()
  const run = () => api.testRules().then(setTests, setError)
  return (
    <section className={page.card}>
      <h2>{words.tests}</h2>
      <p className={page.soft}>{words.testsWhat}</p>
      <div className={page.row} role="status">
        <Button variant="default" onClick={() => void run()}>
          {words.runTests}
        </Button>
        {tests && <StateBadge tone="good" text={words.passed(tests.passed)} />}
        {tests && tests.failed.length > 0 && <StateBadge tone="bad" text={words.failed(tests.failed.length)} />}
      </div>
      {error && <Failed error={error} />}
      {tests && tests.failed.length > 0 && (
        <table className={page.table}>
          <tbody>
            {tests.failed.map(({ text, where, sample, expected }) => (
              <tr key={`${text} ${sample}`}>
                <th scope="row">
                  <code>{text}</code>
                </th>
                <td>
                  {words.expected[expected]} <code>{sample}</code>
                </td>
                <td>{where}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </section>
  )
}
