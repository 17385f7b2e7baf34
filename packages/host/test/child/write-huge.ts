// Writes a file so large that the parent can end this process while the temporary file is being written.
import { openChildFiles } from "./open-child-files.js"

const files = openChildFiles()
for (let round = 0; ; round++) await files.write("target", Buffer.alloc(192 * 1024 * 1024, 65 + (round % 26)))
