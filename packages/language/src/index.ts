export { reasonWords, sayAround } from "./reason-words.js"
export { type Say, sayEnglish } from "./say.js"
export { sayIn } from "./say-in.js"
