import type { Mode, PlacedRule } from "@haft/contract"
import { placeGroups, type RuleGroup } from "./rule-group.js"

/** The rules that a mode adds: accept-edits settles edits and the usual checks, the other modes add none. */
export function modeRules(mode: Mode): readonly PlacedRule[] {
  return mode === "accept-edits" ? acceptEdits : none
}

const groups: readonly RuleGroup[] = [
  {
    action: "allow",
    permissions: ["fs.write", "fs.delete"],
    patterns: ["{workspace}/**"],
    why: "mode accept-edits",
  },
  {
    action: "allow",
    permissions: ["shell.run"],
    patterns: [
      "git add *",
      "git restore --staged *",
      "git stash *",
      "npm test *",
      "npm run test *",
      "npm run lint *",
      "npm run build *",
      "npm run typecheck *",
      "pnpm test *",
      "yarn test *",
      "cargo build *",
      "cargo test *",
      "cargo check *",
      "cargo clippy *",
      "cargo fmt *",
      "pytest *",
      "python3 -m pytest *",
      "go build *",
      "go test *",
      "go vet *",
      "make test",
      "make check",
    ],
    why: "mode accept-edits",
  },
]

const acceptEdits = placeGroups(groups)
const none: readonly PlacedRule[] = []
