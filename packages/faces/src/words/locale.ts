import type { Locale } from "@haft/contract"
import { createContext } from "react"

/** The language in which the faces below are drawn. */
export const LocaleContext = createContext<Locale>("en")
