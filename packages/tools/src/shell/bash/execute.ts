import type { Execute } from "@haft/contract"
import { runToEnd, shellArgv } from "../shared/run-command.js"
import type { manifest } from "./index.js"

/** Hands the line to the shell as it was judged; any exit code is a result. */
export const execute: Execute<typeof manifest> = async ({ command, timeout }, context) =>
  runToEnd({ argv: await shellArgv(command, context.commands), timeoutMs: timeout }, context)
