import { expect, test } from "vitest"
import { place } from "../../test/commands/summary.js"
import { analyzeBash } from "./analyze-bash.js"
import { runsUnconfined } from "./sandbox-for.js"

const listed = ["git push", "docker compose"]

test.each([
  ["git push", true],
  ["git push origin main", true],
  ["docker compose up -d", true],
  ["git pull", false],
  ["git  pushy", false],
  ["docker ps", false],
  ["git push && touch x", false],
  ["git push; docker compose up", false],
  ["git push > log", false],
  ["git push $BRANCH", false],
  ["GIT_SSH_COMMAND=evil git push", false],
  ["env git push", false],
  ["sh -c 'git push'", false],
  ["echo $(git push)", false],
  ["git push 'a", false],
])("%j runs outside the sandbox: %j", (text, expected) => {
  expect(runsUnconfined(analyzeBash(text, place), listed)).toBe(expected)
})

test("an empty entry lists nothing", () => {
  expect(runsUnconfined(analyzeBash("git push", place), ["", "  "])).toBe(false)
})
