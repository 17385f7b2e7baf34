/** The job `analyzeBash`: what a long line for bash would do, by the very code that reads short ones. */
export const analyzeBashSource = `
async function analyzeBash({ text, place }) {
  const { analyzeBash } = await load("command analysis")
  return { value: analyzeBash(text, place) }
}
`
