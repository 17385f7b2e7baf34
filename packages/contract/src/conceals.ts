/** Whether a colour sequence of a terminal, given by its parameters, hides what follows: an 8 that is no part of a colour. */
export function conceals(parameters: string): boolean {
  const numbers = parameters.split(";")
  for (let index = 0; index < numbers.length; index += 1) {
    if (numbers[index] === "8") return true
    if (/^[345]8$/.test(numbers[index]!)) index += numbers[index + 1] === "5" ? 2 : 4
  }
  return false
}
