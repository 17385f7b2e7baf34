import { createHaft } from "haft"

const haft = await createHaft({ roots: ["."], toolset: "locked", person: "headless" })
const session = await haft.openSession()
const found = await session.call("grep", { pattern: "TODO" })
console.log(found.text)
const refused = await session.call("write", { file_path: "note.txt", content: "x" })
console.log(refused.metadata.error_code, session.tools({ format: "anthropic" }).length > 10)
await haft.close()
