/** The work. What it needs of the world comes in the context: no import of Node, no fetch, no process. */
export async function execute({ path }, { files }) {
  const text = await files.readText(path)
  return { words: text.split(/\s+/).filter((word) => word !== "").length }
}
