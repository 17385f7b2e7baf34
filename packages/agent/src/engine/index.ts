export { type EngineClock, systemClock } from "./clock.js"
export { MemoryJournal } from "./memory-journal.js"
export { TurnEngine, type TurnEngineOptions } from "./turn-engine.js"
