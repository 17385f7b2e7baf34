import type { AskRequest, Finding, Ladder, RuleProposal, Rung } from "@haft/contract"
import { useSay } from "../words/say.js"
import { PlainText } from "./PlainText.js"
import { Sentence } from "./Sentence.js"

/** Why a person is asked: the step and the rule behind it, what the call touches, and what a lasting answer would save. */
export function Why({ request }: { readonly request: Pick<AskRequest, "ladder" | "proposal" | "askedBefore"> }) {
  const say = useSay()
  const { ladder, proposal, askedBefore } = request
  return (
    <div className="haft-why">
      <LadderReason ladder={ladder} />
      {askedBefore !== undefined && (
        <p>
          <strong>{say("askedBefore")}:</strong> <Sentence text={askedBefore} values={subjectsOf(ladder)} />
        </p>
      )}
      {proposal && <Proposal proposal={proposal} />}
      <LadderTable ladder={ladder} />
    </div>
  )
}

/** The one sentence of a decision, with the rule that made it and where that rule is written, if it does not say so itself. */
export function LadderReason({ ladder }: { readonly ladder: Ladder }) {
  const say = useSay()
  const reason = String(ladder?.reason ?? "")
  const { rule, source } = decidingRung(ladder) ?? {}
  const isNamed = reason.includes(`${rule} (${source})`)
  return (
    <p className="haft-why-reason">
      <strong>{say(reasons[ladder?.verdict] ?? "whyAsked")}:</strong>{" "}
      <Sentence text={reason} values={subjectsOf(ladder)} />
      {rule !== undefined && !isNamed && (
        <>
          {" "}
          <code>
            <PlainText text={rule} />
          </code>
        </>
      )}
      {source !== undefined && !isNamed && (
        <span className="haft-dim">
          {" "}
          <PlainText text={source} />
        </span>
      )}
    </p>
  )
}

const reasons = { allow: "whyAllowed", ask: "whyAsked", deny: "whyDenied" } as const

function decidingRung(ladder: Ladder): Rung | undefined {
  const rungs: readonly Rung[] = Array.isArray(ladder?.rungs) ? ladder.rungs : []
  return rungs.find(({ verdict }) => verdict === ladder.verdict) ?? rungs.find(({ rule }) => rule !== undefined)
}

function findingsOf(ladder: Ladder): readonly Finding[] {
  return Array.isArray(ladder?.findings) ? ladder.findings : []
}

function subjectsOf(ladder: Ladder): readonly string[] {
  return findingsOf(ladder).map(({ subject }) => subject)
}

function Proposal({ proposal }: { readonly proposal: RuleProposal }) {
  const say = useSay()
  const { rule, matches, differs, also } = proposal
  return (
    <dl className="haft-proposal">
      <dt>{say("wouldSave")}</dt>
      <dd>
        <code>
          <PlainText text={`${rule.permission}(${rule.pattern ?? "*"})`} />
        </code>
        {also !== undefined && (
          <span className="haft-dim">
            {" "}
            <Sentence text={also} />
          </span>
        )}
      </dd>
      <dt>{say("wouldMatch")}</dt>
      <dd>
        <code>
          <PlainText text={String(matches)} />
        </code>
      </dd>
      <dt>{say("wouldNotMatch")}</dt>
      <dd>
        <code>
          <PlainText text={String(differs)} />
        </code>
      </dd>
    </dl>
  )
}

/** Every step of a decision and everything that the call touches; folded, because the sentence above says the most. */
export function LadderTable({ ladder, open = false }: { readonly ladder: Ladder; readonly open?: boolean }) {
  const say = useSay()
  const rungs: readonly Rung[] = Array.isArray(ladder?.rungs) ? ladder.rungs : []
  const hasPlaces = rungs.some(({ source }) => source !== undefined)
  const findings = findingsOf(ladder)
  const subjects = subjectsOf(ladder)
  return (
    <details className="haft-more" open={open}>
      <summary>{say("decision")}</summary>
      <div className="haft-scroll">
        <table className="haft-table">
          <thead>
            <tr>
              <th>{say("rung")}</th>
              <th>{say("verdict")}</th>
              <th>{say("reason")}</th>
              {hasPlaces && <th>{say("place")}</th>}
            </tr>
          </thead>
          <tbody>
            {rungs.map((rung) => (
              <tr key={rung.rung}>
                <th scope="row">{say(`rung.${rung.rung}`)}</th>
                <td data-verdict={rung.verdict}>{say(`verdict.${rung.verdict}`)}</td>
                <td>
                  <Sentence text={rung.reason} values={subjects} />
                  {rung.rule !== undefined && (
                    <>
                      {" "}
                      <code>
                        <PlainText text={rung.rule} />
                      </code>
                    </>
                  )}
                </td>
                {hasPlaces && <td>{rung.source !== undefined && <PlainText text={rung.source} />}</td>}
              </tr>
            ))}
          </tbody>
        </table>
        {findings.length > 0 && <EffectTable findings={findings} />}
      </div>
    </details>
  )
}

function EffectTable({ findings }: { readonly findings: readonly Finding[] }) {
  const say = useSay()
  return (
    <table className="haft-table">
      <caption>{say("effects")}</caption>
      <tbody>
        {findings.slice(0, 100).map((finding, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: one permission may be asked for one subject twice.
          <tr key={index}>
            <th scope="row">
              <code>{finding.permission}</code>
            </th>
            <td data-verdict={finding.verdict}>{say(`verdict.${finding.verdict}`)}</td>
            <td>
              <PlainText text={finding.subject} />
            </td>
            <td>{finding.decided && <PlainText text={`${finding.decided.text} ${finding.decided.source}`} />}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
