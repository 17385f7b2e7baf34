import { Modal } from "@mantine/core"
import { answerWords } from "../parts/answer.words.js"
import { letters } from "../parts/answer-keys.js"
import { useWords } from "../words/words.js"
import { keymap } from "./keys.js"
import classes from "./palette.module.css"
import { paletteWords } from "./palette.words.js"
import { shellWords } from "./shell.words.js"

/** The keys that hold now. */
export default function KeyHelp({ close }: { close: () => void }) {
  const words = useWords(paletteWords)
  return (
    <Modal
      opened
      onClose={close}
      title={words.keys}
      classNames={{ title: classes.title }}
      closeButtonProps={{ "aria-label": useWords(shellWords).close }}
    >
      <KeyList />
      <p>{words.remap}</p>
    </Modal>
  )
}

/** Every key with what it does. */
export function KeyList() {
  const words = useWords(paletteWords)
  const shell = useWords(shellWords)
  const answers = useWords(answerWords)
  const name = (action: string) => {
    if (Object.hasOwn(words.actions, action)) return words.actions[action as keyof typeof words.actions]
    const screen = action.replace(/^go /, "") as keyof typeof shell.screens
    return words.go(shell.screens[screen] ?? screen)
  }
  return (
    <dl className={classes.keys}>
      {Object.entries(keymap()).map(([key, action]) => (
        <Row key={key} keys={shown(key)} meaning={name(action)} />
      ))}
      {Object.entries(letters).map(([letter, answer]) => (
        <Row key={letter} keys={letter} meaning={words.inAsk(answers[answer])} />
      ))}
    </dl>
  )
}

/** A key as the buttons beside it are labelled. */
function shown(key: string): string {
  return key.replace(/^mod\+(.)$/, (_, letter: string) => `Ctrl ${letter.toUpperCase()}`).replace("mod+Enter", "Ctrl ↵")
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
