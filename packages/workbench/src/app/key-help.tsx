import { Modal } from "@mantine/core"
import { useWords } from "../words/words.js"
import { keymap } from "./keys.js"
import classes from "./palette.module.css"
import { paletteWords } from "./palette.words.js"
import { shellWords } from "./shell.words.js"

/** The keys that hold now. */
export default function KeyHelp({ close }: { close: () => void }) {
  const words = useWords(paletteWords)
  return (
    <Modal opened onClose={close} title={words.keys} closeButtonProps={{ "aria-label": useWords(shellWords).close }}>
      <KeyList />
    </Modal>
  )
}

/** Every key with what it does. */
export function KeyList() {
  const words = useWords(paletteWords)
  const shell = useWords(shellWords)
  const name = (action: string) => {
    if (Object.hasOwn(words.actions, action)) return words.actions[action as keyof typeof words.actions]
    const screen = action.replace(/^go /, "") as keyof typeof shell.screens
    return words.go(shell.screens[screen] ?? screen)
  }
  return (
    <>
      <dl className={classes.keys}>
        {Object.entries(keymap()).map(([key, action]) => (
          <Row key={key} keys={key.replace("mod", "Ctrl")} meaning={name(action)} />
        ))}
        <Row keys={words.inAsk} meaning={words.askKeys} />
      </dl>
      <p>{words.remap}</p>
    </>
  )
}

function Row({ keys, meaning }: { keys: string; meaning: string }) {
  return (
    <>
      <dt>
        <kbd>{keys}</kbd>
      </dt>
      <dd>{meaning}</dd>
    </>
  )
}
