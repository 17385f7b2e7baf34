// npm test: system packages where it may, build, check, every test. The last line counts: "N passed, M failed".
import { spawnSync } from "node:child_process"
import { mkdtempSync, readFileSync, rmSync } from "node:fs"
import { homedir, tmpdir, userInfo } from "node:os"
import { delimiter, dirname, join, relative, resolve } from "node:path"
import { fileURLToPath } from "node:url"
import { installSystemPackages } from "./system-packages.mjs"

const root = resolve(dirname(fileURLToPath(import.meta.url)), "..")
process.env.PATH = withoutForeignHome(process.env.PATH ?? "")
const leftOut = installSystemPackages()
const steps = [
  { name: "build", passed: node("scripts/build.mjs") },
  { name: "check", passed: node("scripts/check.mjs") },
]
const tests = runVitest(process.argv.slice(2))

for (const { name, passed } of steps) if (!passed) console.log(`failed: ${name}`)
for (const name of tests.failures) console.log(`failed: ${name}`)
for (const name of tests.retried) console.log(`passed at the second try: ${name}`)
for (const name of [...leftOut, ...tests.skipped]) console.log(`left out: ${name}`)
const failed = tests.failures.length + steps.filter(({ passed }) => !passed).length
const passed = tests.passed + steps.filter((step) => step.passed).length
const skipped = tests.skipped.length
console.log(`${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ""}`)
process.exitCode = failed > 0 ? 1 : 0

/** With another HOME than usual the programs below the usual one stay outside every sandbox, so no test may count on them. */
function withoutForeignHome(path) {
  const usual = userInfo().homedir
  const foreign = (folder) => homedir() !== usual && `${folder}/`.startsWith(`${usual}/`)
  return path
    .split(delimiter)
    .filter((folder) => !foreign(folder))
    .join(delimiter)
}

function node(...rest) {
  return spawnSync(process.execPath, rest, { cwd: root, stdio: "inherit" }).status === 0
}

function runVitest(rest) {
  const folder = mkdtempSync(join(tmpdir(), "haft-test-"))
  const report = join(folder, "report.json")
  const vitest = join(root, "node_modules/vitest/vitest.mjs")
  try {
    const passed = node(vitest, "run", "--reporter=default", "--reporter=json", `--outputFile.json=${report}`, ...rest)
    return count(JSON.parse(readFileSync(report, "utf8")), passed)
  } catch (error) {
    return { passed: 0, failures: [`the tests could not be run: ${error.message}`], skipped: [], retried: [] }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function count({ testResults }, everythingPassed) {
  const tests = testResults.flatMap(({ name, assertionResults }) =>
    assertionResults.map(({ status, fullName, failureMessages }) => ({
      status,
      name: `${relative(root, name)}: ${fullName}`,
      retried: status === "passed" && failureMessages.length > 0,
    })),
  )
  const unloaded = testResults.filter(
    ({ status, assertionResults }) => status === "failed" && assertionResults.length === 0,
  )
  const failures = [
    ...tests.filter(({ status }) => status === "failed").map(({ name }) => name),
    ...unloaded.map(({ name }) => `${relative(root, name)} could not be loaded`),
  ]
  // An error outside every test fails the run although each test passed.
  if (!everythingPassed && failures.length === 0) failures.push("an error outside the tests, shown above")
  const skipped = tests
    .filter(({ status }) => ["pending", "skipped", "todo", "disabled"].includes(status))
    .map(({ name }) => name)
  const retried = tests.filter((test) => test.retried).map(({ name }) => name)
  return { passed: tests.filter(({ status }) => status === "passed").length, failures, skipped, retried }
}
