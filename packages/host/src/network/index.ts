export { createNetwork, type NetworkOptions, type SessionNetwork } from "./create-network.js"
