// The part of npm run screenshots that needs no browser: what the terminal shows.
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { terminalPictures } from "./terminal-scenes.js"

for (const [name, picture] of await terminalPictures(process.cwd())) {
  writeFileSync(join("docs/pictures", name), picture)
  console.log(`docs/pictures/${name}`)
}
