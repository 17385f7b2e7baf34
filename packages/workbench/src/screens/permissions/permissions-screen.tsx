import type { Rule } from "@haft/contract"
import { useState } from "react"
import { api } from "../../api/client.js"
import { useResource } from "../../api/resource.js"
import page from "../../parts/page.module.css"
import { Loaded } from "../../parts/states.js"
import { DraftRule } from "./draft-rule.js"
import { ExplainCall } from "./explain-call.js"
import classes from "./permissions.module.css"
import { RuleTable } from "./rule-table.js"
import { RuleTests } from "./rule-tests.js"

/** The rules with their sources on the left; explaining, drafting and testing on the right. */
export default function PermissionsScreen() {
  const [rules, reload] = useResource("rules", api.rules)
  const [draft, setDraft] = useState<Rule>()
  return (
    <div className={classes.screen}>
      <div className={classes.rules}>
        <Loaded resource={rules} retry={reload} lines={12}>
          {({ rules }) => <RuleTable rules={rules} />}
        </Loaded>
      </div>
      <div className={page.page}>
        <ExplainCall propose={setDraft} />
        {rules.at === "ready" && (
          <DraftRule key={JSON.stringify(draft)} proposed={draft} scopes={rules.value.scopes} saved={reload} />
        )}
        <RuleTests />
      </div>
    </div>
  )
}
