import { expect, test } from "vitest"
import type { CallSession } from "../../session/call-session.js"
import { analyzeCommand } from "./analyze-command.js"

const sessionIn = (directory: string) =>
  ({ directory, variables: { home: directory, workspace: [directory] } }) as unknown as CallSession

test("a command line is judged as the shell of its machine reads it", async () => {
  const command = { kind: "bash", text: "cat notes.txt" } as const
  const [elsewhere] = (await analyzeCommand(command, sessionIn("/home/user"))).parts
  expect(elsewhere).toMatchObject({ argv: ["cat", "notes.txt"], opaque: false, readOnly: true })
  for (const directory of ["C:\\Users\\a", "d:/work", "\\\\server\\share"]) {
    const [onWindows] = (await analyzeCommand(command, sessionIn(directory))).parts
    expect(onWindows).toMatchObject({ opaque: true, readOnly: false })
  }
})

test("a program in a folder of the workspace runs the script of that folder", async () => {
  const command = { kind: "argv", argv: ["npm", "test"], directory: "sub" } as const
  const [part] = (await analyzeCommand(command, sessionIn("/home/user"))).parts
  expect(part).toMatchObject({ directory: "/home/user/sub", script: { file: "/home/user/sub/package.json" } })
})
