// Creates example values for the contract's schemas, from the examples in the field notes. A test checks each example
// against its schema.
import * as z from 'zod/mini'
import { getFieldExample } from '#contract/notes/field-notes.ts'
import type { Direction } from './json-schema.ts'

/** The properties of a Zod schema definition that are read here. */
export interface SchemaDefinition {
  type: string
  format?: string
  shape?: Record<string, z.ZodMiniType>
  innerType?: z.ZodMiniType
  in?: z.ZodMiniType
  out?: z.ZodMiniType
  element?: z.ZodMiniType
  options?: z.ZodMiniType[]
  entries?: Record<string, string>
  values?: unknown[]
}

const moment = '2026-11-20T18:30:00.000Z'
/** Values to try in this order, until the schema accepts one. */
const texts = ['Night Rain', 'night-rain', '2026-11-20', moment, 'ada@music.example', '123456']
const numbers = [12, 1, 0, 0.5, 45, 1000]

/**
 * Returns an example that the schema accepts. For a union, it is an example of the first variant. A request contains
 * only the fields that most callers send.
 */
export function createExample(schema: z.ZodMiniType, io: Direction, field = ''): unknown {
  const own = z.globalRegistry.get(schema)?.['examples'] as unknown[] | undefined
  const noted = own?.[0] ?? getFieldExample(field)
  if (noted !== undefined && z.safeParse(schema, noted).success) return noted
  const { type, innerType, options, element, shape, entries, values, format, ...pipe } =
    define(schema)
  if (innerType) return createExample(innerType, io, field)
  if (pipe.in && pipe.out) return createExample(pipe.out, io, field)
  if (options) return createExample(options[0]!, io, field)
  if (type === 'object') return createObjectExample(shape ?? {}, io, field)
  if (type === 'array' && element) return [createExample(element, io, singular(field))]
  if (type === 'enum') return Object.values(entries ?? {})[0]
  if (type === 'literal') return values?.[0] ?? null
  if (type === 'boolean') return false
  if (type === 'record' || type === 'unknown') return {}
  if (format === 'uuid') return createExampleUuid(field)
  if (format === 'datetime') return moment
  const candidates: unknown[] = type === 'string' ? texts : numbers
  return candidates.find((value) => z.safeParse(schema, value).success) ?? null
}

function createObjectExample(
  shape: Record<string, z.ZodMiniType>,
  io: Direction,
  of: string,
): Record<string, unknown> {
  const all = Object.entries(shape)
  const required = all.filter(([, schema]) => io === 'output' || isRequired(schema))
  const fields = required.length > 0 ? required : all.slice(0, 2)
  return Object.fromEntries(
    fields.map(([name, schema]) => [
      name,
      name === 'id' && of !== '' ? createExampleUuid(of) : createExample(schema, io, name),
    ]),
  )
}

/** Examples of requests contain the required fields or, if there are none, the first two fields. */
function isRequired(schema: z.ZodMiniType): boolean {
  return !['optional', 'default'].includes(define(schema).type)
}

function define(schema: z.ZodMiniType): SchemaDefinition {
  return schema._zod.def as unknown as SchemaDefinition
}

const singular = (field: string) =>
  field.replace(/(?:_ids|ies|s)$/, (end) => (end === '_ids' ? '_id' : end === 'ies' ? 'y' : ''))

/** Returns the same id for the same kind of item: `playlist_id`, and the `id` of a `playlist`. */
export function createExampleUuid(field: string): string {
  const seed = field.replace(/_id$/, '')
  let hash = 0x811c9dc5
  for (const letter of seed) hash = Math.imul(hash ^ letter.charCodeAt(0), 0x01000193) >>> 0
  const text = hash.toString(16).padStart(8, '0')
  return `0191a0c0-${text.slice(0, 4)}-7${text.slice(4, 7)}-9f52-3b8e1c${text.slice(2, 8)}`
}
