import { type Question, ToolError } from "@haft/contract"
import { visible, visibleLine } from "@haft/guard"
import { discardTyped, readLine, type Terminal } from "./keyboard.js"
import type { Style } from "./style.js"

/** Puts one question of the agent; numbers choose options, anything else is an answer in own words. */
export async function askQuestion(
  { terminal, style: { say } }: { readonly terminal: Terminal; readonly style: Style },
  question: Question,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const { options = [], multi_select = false, header } = question
  terminal.stderr.write(`\n${header ? `${visibleLine(header)}: ` : ""}${visible(question.question)}\n`)
  options.forEach(({ label, description }, index) => {
    terminal.stderr.write(`  ${index + 1} ${visibleLine(label)}${description ? `: ${visibleLine(description)}` : ""}\n`)
  })
  const prompt = multi_select
    ? say`Numbers with commas, or own words: `
    : options.length > 0
      ? say`Number, or own words: `
      : say`Answer: `
  await discardTyped(terminal, signal)
  for (;;) {
    const line = await readLine(terminal, prompt, signal)
    if (line === undefined)
      throw new ToolError("denied", "Cannot go on with the question: the person declined to answer")
    const answer = chosen(line.trim(), question)
    if (answer) return answer
    terminal.stderr.write(`${say`Choose from 1 to ${options.length}, or write an answer`}\n`)
  }
}

function chosen(line: string, { options = [], multi_select = false }: Question): readonly string[] | undefined {
  if (line === "") return undefined
  const numbers = line.split(",").map((part) => part.trim())
  if (!numbers.every((part) => /^\d+$/.test(part)) || (numbers.length > 1 && !multi_select)) return [line]
  const labels = numbers.map((number) => options[Number(number) - 1]?.label)
  return labels.every((label) => label !== undefined) ? (labels as string[]) : undefined
}
