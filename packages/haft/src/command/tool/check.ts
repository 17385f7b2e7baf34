import { resolve } from "node:path"
import { visibleLine } from "@haft/guard"
import type { PointResult } from "@haft/testkit"
import { createHaft } from "../../library/create-haft.js"
import type { Style } from "../../terminal/style.js"
import type { Run } from "../command.js"
import { exitCodes } from "../exit-code.js"
import { printValue } from "../print.js"
import { loadToolPackage } from "./load-tool-package.js"

/** `haft tool check PATH`: both checklists, each point by name. The code of the package runs, as in its own tests. */
export const run: Run = async (invocation, io) => {
  const { checkPoints } = await import("@haft/testkit")
  const { draw, ...subject } = await loadToolPackage(resolve(io.cwd, invocation.operands[0]!))
  const results = await checkPoints(subject, { createHaft: createHaft as never, ...(draw && { draw }) })
  const failed = results.filter(({ result }) => result === "failed").length
  const ids = subject.tools.map(({ manifest: { id } }) => id)
  printValue(invocation, io, { tools: ids, ok: failed === 0, points: results }, (style) => text(ids, results, style))
  return failed === 0 ? exitCodes.ok : exitCodes.checkFailed
}

function text(ids: readonly string[], results: readonly PointResult[], style: Style): string {
  const lists = (["specification", "authoring"] as const).map((list) => {
    const lines = results
      .filter((each) => each.list === list)
      .flatMap(({ point, result, problems }) => [
        `  ${result.padEnd(8)}${point}`,
        ...problems.map((problem) => `          ${visibleLine(problem, 300)}`),
      ])
    const title = list === "authoring" ? style.say`Authoring checklist` : style.say`Implementor checklist`
    return [style.bold(title), ...lines].join("\n")
  })
  const failed = results.filter(({ result }) => result === "failed").length
  return [
    ids.join(", "),
    ...lists,
    failed === 0 ? style.say`Every point holds` : style.say`${failed} of ${results.length} points fail`,
  ].join("\n\n")
}
