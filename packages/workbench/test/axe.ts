import axe from "axe-core"
import type { Page } from "playwright-core"

/** What axe finds that is serious or worse in both themes, one line each. */
export async function seriousIssues(page: Page, part = "body"): Promise<readonly string[]> {
  await page.emulateMedia({ colorScheme: "light", reducedMotion: "reduce" })
  const light = await issues(page, part)
  await page.emulateMedia({ colorScheme: "dark" })
  await page.locator("html[data-mantine-color-scheme=dark]").waitFor()
  const dark = await issues(page, part)
  return [...light.map((issue) => `light ${issue}`), ...dark.map((issue) => `dark ${issue}`)]
}

async function issues(page: Page, part: string): Promise<readonly string[]> {
  // Evaluated by the debugger, as the policy of the page lets no foreign script in.
  if (!(await page.evaluate(() => "axe" in window))) await page.evaluate(axe.source)
  // Colours that are on their way to those of the other theme are not those of either.
  await page.evaluate(async () => {
    for (let frame = 0; frame < 2; frame++) await new Promise(requestAnimationFrame)
    await Promise.allSettled(document.getAnimations().map(({ finished }) => finished))
  })
  const options = { resultTypes: ["violations"] }
  return page.evaluate(
    async ({ part, options }) => {
      const { axe } = window as unknown as { axe: Axe }
      const { violations } = await axe.run(part, options)
      return violations
        .filter(({ impact }) => impact === "serious" || impact === "critical")
        .flatMap(({ id, nodes }) =>
          nodes.map((node) => `${id}: ${node.html.slice(0, 160)} ${node.any[0]?.message ?? ""}`),
        )
    },
    { part, options },
  )
}

interface Axe {
  run(
    part: string,
    options: object,
  ): Promise<{
    violations: { id: string; impact: string; nodes: { html: string; any: { message: string }[] }[] }[]
  }>
}
