import { ActionIcon, Menu } from "@mantine/core"
import { Check, Languages, Monitor, Moon, Sun } from "lucide-react"
import { useWords } from "../words/words.js"
import { lookWords } from "./look.words.js"
import { setPreferences, usePreferences } from "./preferences.js"

const themes = [
  ["light", Sun],
  ["dark", Moon],
  ["auto", Monitor],
] as const

/** Theme and language, one click away. */
export function LookMenu() {
  const words = useWords(lookWords)
  const { theme, language } = usePreferences()
  const Current = themes.find(([name]) => name === theme)![1]
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <ActionIcon aria-label={words.menu}>
          <Current size={16} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>{words.theme}</Menu.Label>
        {themes.map(([name, Icon]) => (
          <Menu.Item
            key={name}
            leftSection={<Icon size={14} />}
            rightSection={theme === name && <Check size={14} />}
            onClick={() => setPreferences({ theme: name })}
          >
            {words.themes[name]}
          </Menu.Item>
        ))}
        <Menu.Label>{words.language}</Menu.Label>
        {(["en", "zh-CN"] as const).map((name) => (
          <Menu.Item
            key={name}
            lang={name}
            leftSection={<Languages size={14} />}
            rightSection={language === name && <Check size={14} />}
            onClick={() => setPreferences({ language: name })}
          >
            {languageNames[name]}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}

/** Languages as their own readers call them. */
export const languageNames = { en: "English", "zh-CN": "简体中文" } as const
