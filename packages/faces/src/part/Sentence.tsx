import { sayAround } from "@haft/language"
import { useSentence } from "../words/sentence.js"
import { PlainText } from "./PlainText.js"

/** A sentence of the engine in the language of the page. Values of the call that are quoted in it stay as they are. */
export function Sentence({ text, values = [] }: { readonly text: string; readonly values?: readonly string[] }) {
  return <PlainText text={sayAround(text, values, useSentence())} />
}
