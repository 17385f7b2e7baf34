import { createRoot } from "react-dom/client"
import { findToken, shareToken } from "./api/token.js"
import { preparePolicies } from "./app/nonce.js"
import "./theme/mantine.css"
import "@haft/faces/faces.css"
import "./theme/tokens.css"

preparePolicies()
await findToken()
shareToken()
const { App } = await import("./app/app.js")
createRoot(document.getElementById("page")!).render(<App />)
