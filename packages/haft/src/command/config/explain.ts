import { visibleLine } from "@haft/guard"
import { columns } from "../../terminal/columns.js"
import type { Run } from "../command.js"
import { exitCodes } from "../exit-code.js"
import { printValue } from "../print.js"
import { setUp } from "../setup.js"
import { knownKey } from "./known-key.js"

/** `haft config explain`: which source won, and what was ignored and why. */
export const run: Run = async (invocation, io) => {
  const key = invocation.operands[0]!
  const setting = knownKey(key)
  const { configuration } = await setUp(invocation, io)
  const said = configuration.sayings.filter((saying) => saying.key === key)
  const value = configuration.values.find(key) ?? null
  const winner = said.findLast(({ taken }) => taken)?.source ?? (value === null ? "nothing sets it" : "defaults")
  const initial = setting.initial ?? null
  printValue(invocation, io, { key, value, winner, default: initial, said }, (style) => {
    const rows = said.map(({ source, value: each, taken, reason }) => [
      `  ${visibleLine(source)}`,
      visibleLine(JSON.stringify(each)),
      taken
        ? source === winner
          ? style.green(style.say`wins`)
          : setting.adds
            ? style.say`added`
            : style.say`overridden`
        : style.yellow(style.say`ignored: ${style.say(reason ?? "")}`),
    ])
    const first = [
      `  ${style.say`defaults`}`,
      JSON.stringify(initial),
      winner === "defaults" ? style.green(style.say`wins`) : "",
    ]
    const held =
      value === null
        ? style.say`${style.bold(key)} is not set`
        : style.say`${style.bold(key)} = ${visibleLine(JSON.stringify(value))}  from ${visibleLine(style.say(winner))}`
    const listed = initial === null ? rows : [first, ...rows]
    return [held, style.say(setting.about), ...(listed.length > 0 ? ["", columns(listed)] : [])].join("\n")
  })
  return exitCodes.ok
}
