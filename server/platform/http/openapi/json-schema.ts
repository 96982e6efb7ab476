// JSON Schema 2020-12 of the contract's schemas.
import * as z from 'zod/mini'
import { describeField } from '#contract/notes/field-notes.ts'

export type JsonSchema = Record<string, unknown>

/** A request (`input`) or a response (`output`). */
export type Direction = 'input' | 'output'

/** If `names` is given, each schema that has a name is in `$defs`. Otherwise the result is one schema. */
export function toJsonSchema(
  schema: z.ZodMiniType,
  io: Direction,
  names?: ReadonlyMap<z.core.$ZodType, string>,
): JsonSchema {
  const { $schema: _, ...jsonSchema } = z.toJSONSchema(schema, {
    io,
    target: 'draft-2020-12',
    metadata: withNames(names),
    override: ({ zodSchema, jsonSchema: made }) => refine(zodSchema, made, io),
  })
  return jsonSchema
}

/** A registry in which `id` is the name of a schema in `$defs`. */
function withNames(names?: ReadonlyMap<z.core.$ZodType, string>): typeof z.globalRegistry {
  if (!names) return z.globalRegistry
  const registry = z.registry<z.core.GlobalMeta>()
  registry.get = (schema) => {
    const id = names.get(schema)
    return { ...z.globalRegistry.get(schema), ...(id && { id }) } as never
  }
  registry.has = (schema) => names.has(schema) || z.globalRegistry.has(schema)
  return registry
}

function refine(zodSchema: z.core.$ZodType, made: JsonSchema, io: Direction): void {
  // Drops a pattern that only repeats the format. Keeps patterns that accept much less than the format.
  if (made['format']) {
    const isEmail = made['format'] === 'email'
    if (!isEmail && !z.globalRegistry.get(zodSchema)?.['pattern']) delete made['pattern']
  } else if (io === 'input' && made['type'] === 'string') describeTextLimits(zodSchema, made)
  const { def } = zodSchema._zod
  // The input is not case-sensitive, so list the values to which it is converted.
  const out = def.type === 'pipe' ? (def as z.core.$ZodPipeDef).out._zod.def : null
  if (out && 'entries' in out) {
    made['enum'] = Object.values(out.entries as Record<string, string>)
    delete made['pattern']
  }
  if ('discriminator' in def) made['discriminator'] = { propertyName: def.discriminator }
  if (def.type === 'object') refineObject(made, io)
}

/** Responses may have more fields in a later version. Requests may not have unknown fields. */
function refineObject(made: JsonSchema, io: Direction): void {
  if (io === 'input') made['additionalProperties'] ??= false
  else if (made['additionalProperties'] === false) delete made['additionalProperties']
  for (const [name, property] of Object.entries((made['properties'] ?? {}) as object)) {
    const described = property as JsonSchema
    described['description'] ??= describeField(name)
  }
}

/**
 * Adds a pattern for limits that the schema does not state: the router refuses some characters in any text, and
 * trimmed text must not be blank.
 */
function describeTextLimits(schema: z.core.$ZodType, made: JsonSchema): void {
  if (made['pattern'] ?? made['allOf'] ?? made['enum'] ?? made['const']) return
  const { checks = [] } = schema._zod.def as z.core.$ZodStringDef
  const isTrimmed = checks.some(({ _zod }) => _zod.def.check === 'overwrite')
  made['pattern'] =
    isTrimmed && made['minLength'] ? '^[^\\u0000]*[^\\s\\u0000][^\\u0000]*$' : '^[^\\u0000]*$'
}
