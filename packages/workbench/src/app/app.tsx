import { MantineProvider } from "@mantine/core"
import { useEffect, useState } from "react"
import { onUnauthorized } from "../api/request.js"
import { theme } from "../theme/theme.js"
import { LanguageProvider } from "../words/words.js"
import { styleNonce } from "./nonce.js"
import { usePreferences } from "./preferences.js"
import { Shell } from "./shell.js"
import { TokenScreen } from "./token-screen.js"
import { WorkspaceProvider } from "./workspace.js"

/** The whole page: look, language, and the token before anything else. */
export function App({ hasToken }: { hasToken: boolean }) {
  const { language, theme: scheme } = usePreferences()
  const [access, setAccess] = useState<"missing" | "wrong" | "given">(hasToken ? "given" : "missing")
  useEffect(() => onUnauthorized(() => setAccess("wrong")), [])
  useEffect(() => {
    document.documentElement.lang = language
  }, [language])
  return (
    <MantineProvider
      theme={theme}
      defaultColorScheme="auto"
      {...(scheme !== "auto" && { forceColorScheme: scheme })}
      getStyleNonce={styleNonce}
      // The styles of single components come without the values that they have in common.
      deduplicateCssVariables={false}
    >
      <LanguageProvider language={language}>
        {access === "given" ? (
          <WorkspaceProvider>
            <Shell />
          </WorkspaceProvider>
        ) : (
          <TokenScreen wasWrong={access === "wrong"} entered={() => setAccess("given")} />
        )}
      </LanguageProvider>
    </MantineProvider>
  )
}
