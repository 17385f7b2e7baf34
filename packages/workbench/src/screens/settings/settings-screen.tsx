import type { Locale } from "@haft/contract"
import { Button, SegmentedControl, Textarea } from "@mantine/core"
import { useState } from "react"
import { api } from "../../api/client.js"
import { useResource } from "../../api/resource.js"
import { KeyList } from "../../app/key-help.js"
import { keepKeys, ownKeys } from "../../app/keys.js"
import { lookWords } from "../../app/look.words.js"
import { languageNames } from "../../app/look-menu.js"
import { setPreferences, usePreferences } from "../../app/preferences.js"
import page from "../../parts/page.module.css"
import { ScrollRegion } from "../../parts/scroll-region.js"
import { Loaded } from "../../parts/states.js"
import { forgetOwnSession } from "../../session/own-session.js"
import { useWords } from "../../words/words.js"
import { settingsWords } from "./settings.words.js"

/** What the person sets for this browser, and what the configuration files say. */
export default function SettingsScreen() {
  return (
    <div className={page.page}>
      <Look />
      <Keys />
      <Session />
      <Configuration />
    </div>
  )
}

function Look() {
  const words = useWords(lookWords)
  const { theme, language } = usePreferences()
  return (
    <section className={page.card}>
      <h2>{words.menu}</h2>
      <div className={page.row}>
        <SegmentedControl
          aria-label={words.theme}
          value={theme}
          onChange={(next) => setPreferences({ theme: next as typeof theme })}
          data={(["light", "dark", "auto"] as const).map((value) => ({ value, label: words.themes[value] }))}
        />
        <SegmentedControl
          aria-label={words.language}
          value={language}
          onChange={(next) => setPreferences({ language: next as Locale })}
          data={Object.entries(languageNames).map(([value, label]) => ({ value, label }))}
        />
      </div>
    </section>
  )
}

function Keys() {
  const words = useWords(settingsWords)
  const [text, setText] = useState(ownKeys)
  const [said, setSaid] = useState<"saved" | "wrong">()
  const save = () => setSaid(keepKeys(text) ? "saved" : "wrong")
  return (
    <section className={page.card}>
      <h2>{words.keys}</h2>
      <KeyList key={said} />
      <Textarea
        label={words.ownKeys}
        description={words.ownKeysHow}
        value={text}
        onChange={(event) => {
          setText(event.currentTarget.value)
          setSaid(undefined)
        }}
        error={said === "wrong" && words.keysWrong}
        autosize
        minRows={2}
        spellCheck={false}
        styles={{ input: { fontFamily: "var(--mono)" } }}
      />
      <div className={page.row}>
        <Button variant="default" onClick={save}>
          {words.save}
        </Button>
        <span role="status">{said === "saved" && words.saved}</span>
      </div>
    </section>
  )
}

function Session() {
  const words = useWords(settingsWords)
  const [isDone, setDone] = useState(false)
  const forget = () => {
    forgetOwnSession()
    setDone(true)
  }
  return (
    <section className={page.card}>
      <h2>{words.session}</h2>
      <p className={page.soft}>{words.sessionWhat}</p>
      <div className={page.row}>
        <Button variant="default" onClick={forget} disabled={isDone}>
          {words.newSession}
        </Button>
        <span role="status">{isDone && words.newSessionDone}</span>
      </div>
    </section>
  )
}

function Configuration() {
  const words = useWords(settingsWords)
  const [settings, retry] = useResource("settings", api.settings)
  return (
    <section className={page.card}>
      <h2>{words.configuration}</h2>
      <p className={page.soft}>{words.configurationWhat}</p>
      <Loaded resource={settings} retry={retry}>
        {(list) => (
          <ScrollRegion label={words.configuration} className={page.scroll}>
            <table className={page.table}>
              <thead>
                <tr>
                  <th>{words.key}</th>
                  <th>{words.value}</th>
                  <th>{words.source}</th>
                </tr>
              </thead>
              <tbody>
                {list.map(({ key, value, source }) => (
                  <tr key={key}>
                    <th scope="row">
                      <code>{key}</code>
                    </th>
                    <td>
                      <code>{JSON.stringify(value)}</code>
                    </td>
                    <td>{source}</td>
                  </tr>
                ))}
              </tbody>
            </table>
          </ScrollRegion>
        )}
      </Loaded>
    </section>
  )
}
