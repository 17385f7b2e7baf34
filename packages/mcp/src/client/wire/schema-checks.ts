import type { JsonSchema } from "@haft/contract"
import { withoutPatterns } from "@haft/runtime"
import type { JsonSchemaType, JsonSchemaValidator, jsonSchemaValidator } from "@modelcontextprotocol/client"
import { AjvJsonSchemaValidator } from "@modelcontextprotocol/client/validators/ajv"

/** Checks values against schemas of a server, exactly but for regular expressions, which are never run here. */
export class SchemaChecks implements jsonSchemaValidator {
  private readonly compiled = new WeakMap<object, JsonSchemaValidator<unknown>>()

  getValidator<T>(schema: JsonSchemaType): JsonSchemaValidator<T> {
    const check = this.compiled.get(schema) ?? compile(schema)
    this.compiled.set(schema, check)
    return check as JsonSchemaValidator<T>
  }

  /** Why nothing can be checked against a schema; undefined when that can be. */
  flaw(schema: JsonSchema): string | undefined {
    try {
      this.getValidator(schema as JsonSchemaType)
      return undefined
    } catch (error) {
      return (error as Error).message
    }
  }

  /** What keeps a value from fitting, in words; undefined when it fits. */
  problem(schema: JsonSchema, value: unknown): string | undefined {
    const { valid, errorMessage } = this.getValidator<unknown>(schema as JsonSchemaType)(value)
    return valid ? undefined : (errorMessage ?? "it does not fit")
  }
}

/** Each schema has its own engine: one engine keeps all that it compiled, and checks one `$id` by its first schema. */
function compile(schema: JsonSchemaType): JsonSchemaValidator<unknown> {
  const { $schema, ...read } = withoutPatterns(schema) as JsonSchemaType
  try {
    return new AjvJsonSchemaValidator().getValidator({ ...($schema !== undefined && { $schema }), ...read })
  } catch (error) {
    // A dialect that Ajv does not know is read as the newest: most schemas mean the same in each.
    if ($schema === undefined) throw error
    return new AjvJsonSchemaValidator().getValidator(read)
  }
}
