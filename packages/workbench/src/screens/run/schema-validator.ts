import type {
  CustomValidator,
  ErrorSchema,
  ErrorTransformer,
  RJSFSchema,
  RJSFValidationError,
  ValidationData,
  ValidatorType,
} from "@rjsf/utils"
import { toErrorSchema } from "@rjsf/utils"
import { checkAgainst } from "./use-arguments.js"

/** Checks forms without compiling anything: the validator that comes with the form library makes code from strings. */
export const schemaValidator: ValidatorType = {
  validateFormData(
    formData: unknown,
    schema: RJSFSchema,
    _custom?: CustomValidator,
    said: ErrorTransformer = (errors) => errors,
  ): ValidationData<unknown> {
    const errors = said(errorsOf(schema, formData))
    return { errors, errorSchema: toErrorSchema(errors) as ErrorSchema<unknown> }
  },
  isValid: (schema: RJSFSchema, formData: unknown, root: RJSFSchema) =>
    checkAgainst({ ...schema, ...(root.$defs && { $defs: root.$defs }) }, formData).length === 0,
  rawValidation: <Result>(schema: RJSFSchema, formData?: unknown) => ({
    errors: errorsOf(schema, formData) as Result[],
  }),
}

function errorsOf(schema: RJSFSchema, value: unknown): RJSFValidationError[] {
  return checkAgainst(schema, value ?? {}).map(({ place, reason, keyword }) => {
    const path = place.split("/").slice(1)
    return { name: keyword, property: path.length === 0 ? "." : `.${path.join(".")}`, message: reason, stack: reason }
  })
}
