import { Button, Menu } from "@mantine/core"
import { Copy } from "lucide-react"
import { useState } from "react"
import { useWords } from "../../words/words.js"
import { callAs, callForms } from "./call-as.js"
import { runWords } from "./run.words.js"

/** The call as it is written elsewhere. */
export function CopyAs({ tool, args }: { tool: string; args: Readonly<Record<string, unknown>> }) {
  const words = useWords(runWords)
  const [isCopied, setCopied] = useState(false)
  const copy = async (form: (typeof callForms)[number]) => {
    await navigator.clipboard.writeText(callAs[form](tool, args))
    setCopied(true)
    setTimeout(() => setCopied(false), 1500)
  }
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <Button variant="default" size="sm" leftSection={<Copy size={14} />}>
          {isCopied ? words.copied : words.copyAs}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {callForms.map((form) => (
          <Menu.Item key={form} onClick={() => void copy(form)}>
            {form}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}
