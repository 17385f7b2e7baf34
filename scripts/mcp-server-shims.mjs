// What the server of the MCP SDK takes from its platform, without the schema validator that it would load at every start:
// ours never validates by schemas of the protocol (packages/mcp/src/serve/protocol-server.ts hands it another one).
export { default as process } from "node:process"

export class DefaultJsonSchemaValidator {
  constructor() {
    throw new Error("the MCP server was made without a validator")
  }
}
