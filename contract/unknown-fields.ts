// Finds fields of a request body that its schema does not have. The schema itself drops them, so a misspelled field
// would be lost without an error.
import * as z from 'zod/mini'

/** The properties of a Zod schema definition that are read here. */
interface Definition {
  shape?: Record<string, z.ZodMiniType>
  innerType?: z.ZodMiniType
  in?: z.ZodMiniType
  element?: z.ZodMiniType
  options?: z.ZodMiniType[]
  valueType?: z.ZodMiniType
}

/** Returns the paths of unknown fields: `track_ids`, `changes.0.titel`. `value` must be valid for the schema. */
export function findUnknownFields(schema: z.ZodMiniType, value: unknown, at = ''): string[] {
  const definition = schema._zod.def as unknown as Definition
  const { shape, innerType, element, options, valueType } = definition
  const inner = innerType ?? definition.in
  if (inner) return findUnknownFields(inner, value, at)
  if (typeof value !== 'object' || value === null) return []
  if (options) return findInVariants(options, value, at)
  if (Array.isArray(value)) {
    return element
      ? value.flatMap((each, index) => findUnknownFields(element, each, join(at, String(index))))
      : []
  }
  return Object.entries(value).flatMap(([name, each]) => {
    const field = shape ? (Object.hasOwn(shape, name) ? shape[name] : undefined) : valueType
    if (field) return findUnknownFields(field, each, join(at, name))
    return shape ? [join(at, name)] : []
  })
}

/** For a union, checks the variants that accept the value and uses the one with the fewest unknown fields. */
function findInVariants(options: z.ZodMiniType[], value: object, at: string): string[] {
  return (
    options
      .filter((option) => z.safeParse(option, value).success)
      .map((option) => findUnknownFields(option, value, at))
      .toSorted((a, b) => a.length - b.length)[0] ?? []
  )
}

function join(at: string, name: string): string {
  return at === '' ? name : `${at}.${name}`
}
