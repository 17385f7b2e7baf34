import { type Catalogue, sayFrom } from "../catalogue.js"
import type { Say } from "../say.js"
import { command } from "./command.js"
import { dialects } from "./dialects.js"
import { doctor } from "./doctor.js"
import { fileTools } from "./file-tools.js"
import { files } from "./files.js"
import { guard } from "./guard.js"
import { help } from "./help.js"
import { library } from "./library.js"
import { machines } from "./machines.js"
import { models } from "./models.js"
import { processes } from "./processes.js"
import { server } from "./server.js"
import { subcommands } from "./subcommands.js"
import { terminal } from "./terminal.js"
import { toolArguments } from "./tool-arguments.js"
import { tools } from "./tools.js"

/** Every text for people in Simplified Chinese, by subject. The README of this folder has the words to use. */
export const catalogues: Readonly<Record<string, Catalogue>> = {
  help,
  terminal,
  doctor,
  subcommands,
  command,
  library,
  guard,
  files,
  processes,
  machines,
  models,
  server,
  dialects,
  fileTools,
  tools,
  toolArguments,
}

/** Speaks Simplified Chinese. */
export function sayChinese(): Say {
  return sayFrom(Object.assign({}, ...Object.values(catalogues)))
}
