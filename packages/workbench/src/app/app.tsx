import { LocaleContext } from "@haft/faces"
import { MantineProvider } from "@mantine/core"
import { useCallback, useEffect, useState } from "react"
import { streams } from "../api/client.js"
import { onUnauthorized } from "../api/request.js"
import { onSharedToken, token } from "../api/token.js"
import { theme } from "../theme/theme.js"
import { styleNonce } from "./nonce.js"
import { usePreferences } from "./preferences.js"
import { Shell } from "./shell.js"
import { TokenScreen } from "./token-screen.js"
import { WorkspaceProvider } from "./workspace.js"

/** The whole page: look, language, and the token before anything else. */
export function App() {
  const { language, theme: scheme } = usePreferences()
  const [access, setAccess] = useState<"missing" | "wrong" | "given">(token() === "" ? "missing" : "given")
  const enter = useCallback(() => {
    setAccess("given")
    streams.renew()
  }, [])
  useEffect(() => onUnauthorized(() => setAccess("wrong")), [])
  useEffect(() => {
    // An answer of another tab may have come while this page was being drawn.
    if (token() !== "") enter()
    return onSharedToken(enter)
  }, [enter])
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
      <LocaleContext value={language}>
        {access === "given" ? (
          <WorkspaceProvider>
            <Shell />
          </WorkspaceProvider>
        ) : (
          <TokenScreen wasWrong={access === "wrong"} entered={enter} />
        )}
      </LocaleContext>
    </MantineProvider>
  )
}
