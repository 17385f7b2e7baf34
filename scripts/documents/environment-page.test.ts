import { expect, test } from "vitest"
import { environmentPage } from "./environment-page.js"

const facts = {
  commands: ["call", "run", "chat", "serve", "mcp", "acp"].map((name) => ({
    name,
    about: name,
    options: name === "call" ? ["root", "yes"] : ["root"],
  })),
  options: { root: { about: "A folder" }, yes: { about: "Answers" }, other: { about: "Elsewhere" } },
  agentTools: "locked,code",
  clientTools: "locked",
  clientAnswers: ["once", "session", "reject"],
}

test("the page names what each host offers, asks and refuses", () => {
  const page = environmentPage(facts)
  const rows = page.split("\n").filter((line) => line.startsWith("| "))
  for (const host of ["Command line", "Library", "Server", "MCP", "ACP"]) {
    const about = rows.filter((row) => row.startsWith(`| ${host} |`))
    expect(about, host).toHaveLength(2)
    for (const row of about) expect(row.split(" | ").every((cell) => cell.trim() !== "")).toBe(true)
  }
  expect(page).toContain(
    "| MCP | `haft mcp` | `locked` | the person at the client, by elicitation | once, session, reject |",
  )
  expect(rows).toContain("| `--root` | yes | yes | yes | yes | yes | yes |")
  expect(rows).toContain("| `--yes` | yes |  |  |  |  |  |")
  expect(page).not.toContain("--other")
})

test("a host whose command is gone stops the page", () => {
  expect(() => environmentPage({ ...facts, commands: facts.commands.slice(1) })).toThrow('there is no command "call"')
})
