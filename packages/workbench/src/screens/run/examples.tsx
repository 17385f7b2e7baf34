import { Button, Menu } from "@mantine/core"
import { Lightbulb } from "lucide-react"
import { api } from "../../api/client.js"
import { useResource } from "../../api/resource.js"
import { useWords } from "../../words/words.js"
import classes from "./run.module.css"
import { runWords } from "./run.words.js"

/** The calls that a tool comes with, to fill in. */
export function Examples(props: { tool: string; choose: (value: Readonly<Record<string, unknown>>) => void }) {
  const words = useWords(runWords)
  const [detail] = useResource(props.tool, (signal) => api.tool(props.tool, signal))
  const examples = detail.at === "ready" ? detail.value.examples : []
  if (examples.length === 0) return null
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <Button variant="subtle" size="compact-xs" leftSection={<Lightbulb size={14} />} className={classes.examples}>
          {words.examples}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>{words.chooseExample}</Menu.Label>
        {examples.map(({ name, input }) => (
          <Menu.Item key={name} onClick={() => props.choose(input as Record<string, unknown>)}>
            {name}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}
