import { Textarea } from "@mantine/core"
import { useWords } from "../../words/words.js"
import classes from "./run.module.css"
import { runWords } from "./run.words.js"
import type { Arguments } from "./use-arguments.js"

/** The arguments as JSON; what is wrong with them is said below. */
export function JsonArguments({ args }: { args: Arguments }) {
  const words = useWords(runWords)
  const { broken, problems } = args
  const reason = broken && (broken.reason === "" ? words.notObject : words.notJson(broken.reason))
  return (
    <>
      <Textarea
        label={words.json}
        value={args.text}
        onChange={(event) => args.setText(event.currentTarget.value)}
        error={reason}
        autosize
        minRows={5}
        maxRows={24}
        spellCheck={false}
        classNames={{ input: classes.mono }}
      />
      {!broken && problems.length > 0 && (
        <div role="alert">
          <ul className={classes.problems}>
            {problems.map(({ place, reason, keyword, missing }) => (
              <li key={`${place} ${reason}`}>
                {words.problem(place, missing === undefined ? words.wrong(keyword, reason) : words.missing(missing))}
              </li>
            ))}
          </ul>
        </div>
      )}
    </>
  )
}
