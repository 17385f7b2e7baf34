import { Modal, TextInput } from "@mantine/core"
import { Search } from "lucide-react"
import { type KeyboardEvent, useEffect, useState } from "react"
import { api } from "../api/client.js"
import { useResource } from "../api/resource.js"
import { toolTitle } from "../parts/tool-icon.js"
import { useLanguage, useWords } from "../words/words.js"
import classes from "./palette.module.css"
import { paletteWords } from "./palette.words.js"
import { addressOf, go } from "./router.js"
import { screens } from "./screens.js"
import { shellWords } from "./shell.words.js"
import { useKnown } from "./workspace.js"

interface Choice {
  readonly key: string
  readonly title: string
  readonly note: string
  readonly address: string
}

/** Everything by its name: screens, tools, sessions; in the order in which the server ranks them. */
export default function Palette({ typed, close }: { typed: () => string; close: () => void }) {
  const words = useWords(paletteWords)
  const [text, setText] = useState("")
  const [place, setPlace] = useState(0)
  const choices = useChoices(text.trim())
  const choose = (choice: Choice | undefined) => {
    if (!choice) return
    close()
    go(choice.address)
  }
  const press = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step !== undefined) setPlace((place + step + choices.length) % Math.max(1, choices.length))
    else if (event.key === "Enter") choose(choices[place])
    else return
    event.preventDefault()
  }
  return (
    <Modal
      opened
      onClose={close}
      withCloseButton={false}
      size="lg"
      padding={0}
      yOffset="12vh"
      attributes={{ content: { "aria-label": words.title } }}
    >
      <TextInput
        size="md"
        variant="unstyled"
        className={classes.field}
        leftSection={<Search size={16} />}
        placeholder={words.placeholder}
        aria-label={words.placeholder}
        role="combobox"
        aria-expanded
        aria-controls="palette-choices"
        aria-activedescendant={choices[place] && `palette-${place}`}
        data-autofocus
        value={text}
        onChange={(event) => {
          setText(event.currentTarget.value)
          setPlace(0)
        }}
        onKeyDown={press}
        onFocus={() => {
          const early = typed()
          if (early !== "") setText(early)
        }}
      />
      <ChoiceList choices={choices} place={place} choose={choose} />
    </Modal>
  )
}

function ChoiceList(props: { choices: readonly Choice[]; place: number; choose: (choice: Choice) => void }) {
  const { choices, place, choose } = props
  const words = useWords(paletteWords)
  return (
    <>
      <div className={classes.choices} id="palette-choices" role="listbox" aria-label={words.title}>
        {choices.map((choice, index) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are those of the field above, which keeps the focus.
          <div
            key={choice.key}
            id={`palette-${index}`}
            role="option"
            aria-selected={index === place}
            tabIndex={-1}
            className={classes.choice}
            onClick={() => choose(choice)}
          >
            <span>{choice.title}</span>
            <small>{choice.note}</small>
          </div>
        ))}
      </div>
      {choices.length === 0 && <p className={classes.nothing}>{words.nothing}</p>}
    </>
  )
}

function useChoices(text: string): readonly Choice[] {
  const words = useWords(paletteWords)
  const shell = useWords(shellWords)
  const language = useLanguage()
  const { tools } = useKnown()
  const [found] = useResource(text === "" ? undefined : text, (signal) => api.search(text, signal))
  const [last, setLast] = useState<readonly Choice[]>([])
  const places = screens
    .map(({ name }) => ({
      key: `screen:${name}`,
      title: shell.screens[name],
      note: shell.hints[name],
      address: `/${name}`,
    }))
    .filter(({ title, address }) => `${title} ${address}`.toLowerCase().includes(text.toLowerCase()))
  useEffect(() => {
    if (found.at !== "ready") return
    const list = tools.at === "ready" ? tools.value : []
    const { hits, sessions } = found.value
    setLast([
      ...hits.flatMap((hit) => {
        const tool = list.find(({ id }) => hit.id === `tool_${id}`)
        return tool
          ? [
              {
                key: `tool:${tool.id}`,
                title: toolTitle(tool, language),
                note: tool.id,
                address: addressOf(["run", tool.id]),
              },
            ]
          : []
      }),
      ...sessions.map(({ id, title }) => ({
        key: `session:${id}`,
        title: title || id.slice(0, 12),
        note: words.session,
        address: addressOf(["sessions", id]),
      })),
    ])
  }, [found, tools, language, words])
  return [...(text === "" ? [] : last), ...places]
}
