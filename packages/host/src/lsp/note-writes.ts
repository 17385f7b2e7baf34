import type { FileWriter, WriteReceipt } from "@haft/contract"
import type { SessionLanguageServers } from "./create-language-servers.js"

/** A writer that tells the language servers of every write what it replaced. */
export function noteWrites<Files extends FileWriter>(
  files: Files,
  { noteWrite }: Pick<SessionLanguageServers, "noteWrite">,
): Files {
  const noted = (receipt: WriteReceipt) => {
    noteWrite(receipt.path, receipt.before)
    return receipt
  }
  return {
    ...files,
    write: async (path, bytes, options) => noted(await files.write(path, bytes, options)),
    update: async (path, options, change) => noted(await files.update(path, options, change)),
  }
}
