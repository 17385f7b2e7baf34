import { open } from "node:fs/promises"
import { join } from "node:path"

/** Lines of the log; 95 bytes each give 100 MB, and 2000 of them fit into one read. */
const logLines = 1_052_632

/** One line without its break; the number makes every line different. */
export function logLine(number: number): string {
  return `${String(number).padStart(9, "0")} 2026-11-15T12:00:00.000Z info request served in 12 ms path=/api/items status=200`.padEnd(
    94,
    ".",
  )
}

/** Writes `app.log` into the folder and returns the folder. */
export async function makeLog(folder: string): Promise<string> {
  const file = await open(join(folder, "app.log"), "w")
  const step = 50_000
  for (let start = 0; start < logLines; start += step) {
    const count = Math.min(step, logLines - start)
    await file.write(Array.from({ length: count }, (_, index) => `${logLine(start + index)}\n`).join(""))
  }
  await file.close()
  return folder
}
