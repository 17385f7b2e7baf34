// npm run docs: writes what can be derived from manifests, rules and the import table.
// --check writes nothing and fails when a file is stale; --definitions writes only what the build needs.
import { execFile } from "node:child_process"
import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises"
import { dirname, join } from "node:path"
import { promisify } from "node:util"
import { defaultRules } from "@haft/guard"
import { createRegistry } from "@haft/runtime"
import { dialectTools } from "../packages/dialects/src/catalog.js"
import { dialectNames, loadDialect } from "../packages/dialects/src/dialects.js"
import { commands } from "../packages/haft/src/command/commands.js"
import { clientToolset } from "../packages/haft/src/command/mcp/served-tools.js"
import { options } from "../packages/haft/src/command/option.js"
import { configSchema } from "../packages/haft/src/config/config-schema.js"
import { settings } from "../packages/haft/src/config/setting.js"
import { seeds } from "../packages/haft/test/seeds/seeds.js"
import { formAnswers } from "../packages/mcp/src/serve/forms.js"
// Not from the package: it needs what is made here.
import { catalog } from "../packages/tools/src/catalog.js"
import { toolsets } from "../packages/tools/src/toolset.js"
import { providerPlaces } from "../packages/tools/src/web/shared/search/provider-place.js"
import { providers } from "../packages/tools/src/web/shared/search/providers/index.js"
import { capabilityPage } from "./documents/capability-page.js"
import { configurationPage } from "./documents/configuration-page.js"
import { conformancePage } from "./documents/conformance-page.js"
import { definitionsFile } from "./documents/definitions-file.js"
import { dialectPage } from "./documents/dialect-page.js"
import { environmentPage } from "./documents/environment-page.js"
import { errorPage } from "./documents/error-page.js"
import { packagePage } from "./documents/package-page.js"
import { priceTableFile } from "./documents/price-table-file.js"
import { rulePage } from "./documents/rule-page.js"
import { toolFactsFile } from "./documents/tool-facts-file.js"
import { toolIndexPage } from "./documents/tool-index-page.js"
import { toolLoadersFile } from "./documents/tool-loaders-file.js"
import { toolPage } from "./documents/tool-page.js"
import { webPage } from "./documents/web-page.js"

const root = process.cwd()
const toolFolder = "docs/tools"
const toolFacts = "packages/guard/src/generated/tool-facts.ts"
// What the registry would refuse at start is refused here, before anything is written.
createRegistry(catalog)
const check = process.argv.includes("--check")
const files = { ...(await definitions()), ...(process.argv.includes("--definitions") ? {} : await pages()) }
const stale = await differing(files)
const left = process.argv.includes("--definitions") ? [] : await leftovers(Object.keys(files))

if (check) {
  for (const file of stale) console.log(`${file} is stale`)
  for (const file of left) console.log(`${file} belongs to no tool`)
  process.exitCode = stale.length + left.length > 0 ? 1 : 0
} else {
  for (const file of stale) await write(file, files[file]!)
  for (const file of left) await rm(join(root, file))
  for (const file of [...stale, ...left]) console.log(file)
  // The page of rules is made from facts that were loaded before they were written.
  if (stale.includes(toolFacts)) for (const file of await againPages()) console.log(file)
}

/** What changes in a second run, which sees what this one wrote. */
async function againPages(): Promise<readonly string[]> {
  if (process.argv.includes("--definitions")) return []
  const { stdout } = await promisify(execFile)(process.execPath, ["scripts/run-ts.mjs", "scripts/generate.ts"], {
    cwd: root,
  })
  return stdout.split("\n").filter((line) => line !== "")
}

async function definitions(): Promise<Record<string, string>> {
  const source = await readFile(join(root, "packages/tools/src/catalog.ts"), "utf8")
  return {
    "packages/tools/src/generated/definitions.json": definitionsFile(catalog, toolsets),
    [toolFacts]: toolFactsFile([...catalog, ...dialectTools]),
    "packages/tools/src/generated/tool-loaders.ts": toolLoadersFile(catalog, source),
  }
}

async function pages(): Promise<Record<string, string>> {
  const tools = await Promise.all(
    catalog.map(async (tool) => [`${toolFolder}/${tool.manifest.id}.md`, await toolPage(tool, toolsets)] as const),
  )
  return {
    ...Object.fromEntries(tools),
    [`${toolFolder}/README.md`]: toolIndexPage(catalog, toolsets),
    "packages/haft/schema/haft.schema.json": `${JSON.stringify(configSchema(), null, 2)}\n`,
    "docs/errors.md": errorPage(),
    "docs/configuration.md": configurationPage(settings, toolsets),
    "docs/conformance.md": conformancePage(root, seeds),
    "docs/environments.md": environmentPage({
      ...{ commands, options, clientTools: clientToolset, clientAnswers: formAnswers },
      agentTools: String(settings.find(({ key }) => key === "toolset")?.initial),
    }),
    "docs/capabilities.md": capabilityPage(catalog),
    "docs/dialects.md": dialectPage(await dialects(), catalog, dialectTools),
    "docs/web.md": webPage(catalog, listedProviders(), settings),
    "docs/packages.md": await packagePage(root),
    "packages/agent/src/model/generated/prices.ts": priceTableFile(),
    "docs/rules.md": rulePage(defaultRules()),
  }
}

function listedProviders() {
  return Object.values(providers).map(({ id, label }) => ({ id, label, needs: providerPlaces[id].needs }))
}

/** Those of other systems: ours is the catalogue itself. */
async function dialects() {
  return Promise.all(dialectNames.filter((name) => name !== "haft").map(loadDialect))
}

async function differing(wanted: Readonly<Record<string, string>>): Promise<readonly string[]> {
  const found: string[] = []
  for (const [file, text] of Object.entries(wanted)) {
    const present = await readFile(join(root, file), "utf8").catch(() => undefined)
    if (present !== text) found.push(file)
  }
  return found
}

/** Pages of tools that are no longer in the catalogue. */
async function leftovers(wanted: readonly string[]): Promise<readonly string[]> {
  const present = await readdir(join(root, toolFolder)).catch(() => [])
  return present.map((name) => `${toolFolder}/${name}`).filter((file) => !wanted.includes(file))
}

async function write(file: string, text: string): Promise<void> {
  await mkdir(dirname(join(root, file)), { recursive: true })
  await writeFile(join(root, file), text)
}
