import { readFileSync } from "node:fs"
import { createRequire } from "node:module"
import type { Page } from "playwright-core"

const source = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8")

/** What axe finds that is serious or worse, one line each; below `part` where one is given. */
export async function seriousIssues(page: Page, part = "body"): Promise<readonly string[]> {
  // Evaluated by the debugger, as the policy of the page lets no foreign script in.
  if (!(await page.evaluate(() => "axe" in window))) await page.evaluate(source)
  return page.evaluate(async (part) => {
    const { axe } = window as unknown as { axe: Axe }
    const { violations } = await axe.run(part, { resultTypes: ["violations"] })
    return violations
      .filter(({ impact }) => impact === "serious" || impact === "critical")
      .flatMap(({ id, nodes }) =>
        nodes.map((node) => `${id}: ${node.html.slice(0, 160)} ${node.any[0]?.message ?? ""}`),
      )
  }, part)
}

interface Axe {
  run(
    part: string,
    options: object,
  ): Promise<{
    violations: { id: string; impact: string; nodes: { html: string; any: { message: string }[] }[] }[]
  }>
}
