// Adds one to the number in a file many times; conflicts are expected and answered by trying again.
import { ToolError } from "@haft/contract"
import { openChildFiles } from "./open-child-files.js"

const files = openChildFiles()
let done = 0
let conflicts = 0
while (done < 200) {
  try {
    await files.update("counter", { maxBytes: 1000 }, (current) =>
      Buffer.from(String(Number(new TextDecoder().decode(current.bytes)) + 1)),
    )
    done++
  } catch (error) {
    if (!ToolError.is(error) || error.code !== "conflict") throw error
    conflicts++
  }
}
console.log(JSON.stringify({ done, conflicts }))
