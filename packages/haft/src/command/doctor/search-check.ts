import { mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { type Check, type DoctorRequest, failed, signalOf } from "./check.js"

/** Whether a search finds a word: one real call in a folder of its own, so ripgrep and the whole way are tried. */
export async function searchCheck(request: DoctorRequest): Promise<Check> {
  const folder = await mkdtemp(join(tmpdir(), "haft-doctor-"))
  try {
    const { createHaft } = await import("../../library/create-haft.js")
    await writeFile(join(folder, "note.txt"), "a needle\n")
    const haft = await createHaft({
      roots: [folder],
      home: join(folder, "..", "none"),
      storage: { journal: false },
    })
    try {
      const session = await haft.openSession()
      const envelope = await session.call("grep", { pattern: "needle" }, signalOf(request))
      await session.close()
      if (envelope.type === "output") return { name: "ripgrep", state: "ok", found: "a search found what it should" }
      return failed("ripgrep", {
        message: envelope.error_text,
        hint: (envelope.metadata.details as { readonly fix?: string } | undefined)?.fix ?? envelope.metadata.hint,
      })
    } finally {
      await haft.close()
    }
  } catch (error) {
    return failed("ripgrep", error)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
