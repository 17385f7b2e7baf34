export { reasonWords, sayAround } from "./reason-words.js"
export { type Say, sayEnglish } from "./say.js"
export { type Language, sayIn } from "./say-in.js"
