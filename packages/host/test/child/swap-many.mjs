// Swaps files and folders for links out and back as fast as it can: swap-many.mjs FOLDER OUTSIDE
// Of the files "file-N" each is at any time either a file or a link; of the folders "folder-N" each is missing for a moment in between.
import { linkSync, renameSync, symlinkSync } from "node:fs"

const [folder, outside] = process.argv.slice(2)
const count = 20
const numbers = Array.from({ length: count }, (_, number) => number)
for (const number of numbers) {
  symlinkSync(`${outside}/folder`, `${folder}/.link-${number}`)
  linkSync(`${folder}/file-${number}`, `${folder}/.file-${number}`)
}
process.stdout.write("ready\n")
for (;;) {
  for (const number of numbers) {
    symlinkSync(`${outside}/secret`, `${folder}/.next`)
    renameSync(`${folder}/.next`, `${folder}/file-${number}`)
    renameSync(`${folder}/folder-${number}`, `${folder}/.folder-${number}`)
    renameSync(`${folder}/.link-${number}`, `${folder}/folder-${number}`)
  }
  for (const number of numbers) {
    linkSync(`${folder}/.file-${number}`, `${folder}/.next`)
    renameSync(`${folder}/.next`, `${folder}/file-${number}`)
    renameSync(`${folder}/folder-${number}`, `${folder}/.link-${number}`)
    renameSync(`${folder}/.folder-${number}`, `${folder}/folder-${number}`)
  }
}
