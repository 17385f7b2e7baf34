import type { ApiCheck } from "@haft/contract"
import { Sentence, useSentence } from "@haft/faces"
import { Button, SegmentedControl } from "@mantine/core"
import { RefreshCw } from "lucide-react"
import { api } from "../../api/client.js"
import { useResource } from "../../api/resource.js"
import { setQuery, usePlace } from "../../app/router.js"
import page from "../../parts/page.module.css"
import { StateBadge } from "../../parts/state-badge.js"
import { Loaded } from "../../parts/states.js"
import { useWords } from "../../words/words.js"
import { sandboxWords } from "./sandbox.words.js"

/** What confines commands on this machine, tried now; and all other checks of the machine. */
export default function SandboxScreen() {
  const words = useWords(sandboxWords)
  const { query } = usePlace()
  const view = query.view === "doctor" ? "doctor" : "probe"
  const [checks, again] = useResource(view, () => (view === "doctor" ? api.doctor() : api.probe()))
  return (
    <div className={page.page}>
      <div className={page.row}>
        <SegmentedControl
          value={view}
          onChange={(next) => setQuery({ view: next === "probe" ? undefined : next })}
          data={[
            { value: "probe", label: words.probe },
            { value: "doctor", label: words.doctor },
          ]}
        />
        <Button className={page.push} variant="default" leftSection={<RefreshCw size={14} />} onClick={again}>
          {words.again}
        </Button>
      </div>
      <p className={page.lead}>{view === "probe" ? words.probeWhat : words.doctorWhat}</p>
      <Loaded resource={checks} retry={again}>
        {(list) => list.map((check) => <Check key={`${check.name} ${check.found}`} check={check} />)}
      </Loaded>
    </div>
  )
}

const tones = { ok: "good", warn: "warn", fail: "bad", none: "plain" } as const

function Check({ check }: { check: ApiCheck }) {
  const words = useWords(sandboxWords)
  const sentence = useSentence()
  const { name, state, found, fix, probes = [] } = check
  const passed = probes.filter(({ ok }) => ok).length
  return (
    <article className={page.card}>
      <h2>
        {name} <StateBadge tone={tones[state]} text={words.states[state]} />
        {probes.length > 0 && <span className={page.soft}>{words.passed(passed, probes.length)}</span>}
      </h2>
      <p>
        <Sentence text={found} />
      </p>
      {fix !== undefined && (
        <p className={page.soft}>
          {words.fix}: <Sentence text={fix} />
        </p>
      )}
      {probes.length > 0 && (
        <table className={page.table}>
          <tbody>
            {probes.map((probe) => (
              <tr key={probe.name}>
                <th scope="row">{sentence(probe.name)}</th>
                <td>
                  <StateBadge tone={probe.ok ? "good" : "bad"} text={probe.ok ? words.holds : words.holdsNot} />
                </td>
                <td>{probe.detail !== undefined && sentence(probe.detail)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </article>
  )
}
