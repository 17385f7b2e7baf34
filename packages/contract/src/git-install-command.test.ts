import { expect, test } from "vitest"
import { gitInstallCommand } from "./git-install-command.js"

const having =
  (...programs: readonly string[]) =>
  async (program: string) =>
    programs.includes(program) ? `/usr/bin/${program}` : undefined

test("git is installed with the package manager that the machine has, that of the system first", async () => {
  expect(await gitInstallCommand(having("apk"))).toBe("sudo apk add git")
  expect(await gitInstallCommand(having("brew", "dnf"))).toBe("sudo dnf install git")
})

test("where there is none, no command is named", async () => {
  expect(await gitInstallCommand(having("sh"))).toBeUndefined()
})
