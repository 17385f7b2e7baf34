import { type BoxProbe, boxImagesFolder, probeBox, probeFix } from "@haft/box"
import { type BoxLevel, boxLevels } from "@haft/contract"
import { visibleLine } from "@haft/guard"
import { table } from "../../terminal/columns.js"
import type { Run } from "../command.js"
import { exitCodes } from "../exit-code.js"
import { printRows } from "../print.js"
import { setUp } from "../setup.js"

/** `haft box doctor`: every backend with the outcome of really using it. */
export const run: Run = async (invocation, io) => {
  const { places, configuration } = await setUp(invocation, io)
  const minIsolation = configuration.values.get("box.minIsolation")
  const tried = await probeBox({
    imagesFolder: boxImagesFolder(places.home),
    signal: io.signal,
    minIsolation,
  })
  const probes = tried.map((probe) => ({ ...probe, fix: probeFix(probe) }))
  printRows(invocation, io, probes, (style) => {
    const rows = probes.map(({ backend, level, ok, why = "", fix }) => [
      ok ? style.green(style.say`works`) : style.red(style.say`fails`),
      backend,
      level,
      visibleLine(fix === undefined ? style.say(why) : `${style.say(why)}; ${style.say(fix)}`),
    ])
    return table(["STATE", "BACKEND", "ISOLATION", "WHY"], rows, style)
  })
  return probes.some((probe) => isEnough(probe, minIsolation)) ? exitCodes.ok : exitCodes.checkFailed
}

function isEnough({ ok, level }: BoxProbe, least: BoxLevel = "vm-emulated"): boolean {
  return ok && boxLevels.indexOf(level) <= boxLevels.indexOf(least)
}
