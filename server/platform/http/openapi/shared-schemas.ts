// Collects the shared schemas of the API description. Each shape is described once, under the name of its constant, and
// referenced everywhere else. The variants of a union with a discriminator get names of their own, as OpenAPI requires.
import type * as z from 'zod/mini'
import { pascalCase } from './contract-names.ts'
import { toJsonSchema, type Direction, type JsonSchema } from './json-schema.ts'

const prefix = '#/components/schemas/'
const defs = '#/$defs/'

/** Collected separately for requests and responses, until it is known which schemas differ between them. */
type Found = Record<Direction, Map<string, JsonSchema>>

export interface SharedSchemas {
  /** Returns the schema with references. Variants are named after `base` if the schema itself has no name. */
  describe: (schema: z.ZodMiniType, io: Direction, base: string) => JsonSchema
  /** Replaces the temporary references in `document` and returns the schemas, sorted by name. */
  finish: <T>(document: T) => { document: T; schemas: Record<string, JsonSchema> }
}

export function createSharedSchemas(names: ReadonlyMap<z.core.$ZodType, string>): SharedSchemas {
  const found: Found = { input: new Map(), output: new Map() }

  function add(name: string, { id: _, ...schema }: JsonSchema, io: Direction): void {
    if (found[io].has(name)) return
    // Reserves the name first, because a schema may refer to itself.
    found[io].set(name, schema)
    found[io].set(name, link(found, schema, io, name))
  }

  return {
    describe(schema, io, base) {
      const { $defs = {}, ...own } = toJsonSchema(schema, io, names) as JsonSchema & {
        $defs?: Record<string, JsonSchema>
      }
      for (const [name, def] of Object.entries($defs)) add(name, def, io)
      const { id: _, ...rest } = own as { id?: string }
      const name = names.get(schema)
      if (!name) return link(found, rest, io, base)
      if (!('$ref' in rest)) add(name, rest, io)
      return { $ref: createRef(name, io) }
    },

    finish<T>(document: T) {
      const { input, output } = found
      const differing = findDiffering(found)
      const nameOf = (name: string, io: Direction) =>
        io === 'input' && output.has(name) && differing.has(name) ? `${name}Input` : name
      const relink = <V>(value: V): V =>
        mapRefs(value, (ref) => {
          const [name = '', io] = ref.slice(prefix.length).split('#')
          return prefix + nameOf(name, io as Direction)
        })
      const all = [
        ...[...output].map(([name, schema]) => [name, relink(schema)] as const),
        ...[...input].map(([name, schema]) => [nameOf(name, 'input'), relink(schema)] as const),
      ].toSorted(([a], [b]) => (a < b ? -1 : 1))
      return { document: relink(document), schemas: Object.fromEntries(all) }
    },
  }
}

/** Converts references to `$defs` and variants of unions to references to shared schemas. */
function link(found: Found, schema: JsonSchema, io: Direction, base: string): JsonSchema {
  return mapSchemas(schema, base, (part, at) => {
    const { $ref } = part as { $ref?: string }
    if ($ref?.startsWith(defs)) return { ...part, $ref: createRef($ref.slice(defs.length), io) }
    return part['discriminator'] && part['oneOf'] ? nameVariants(found, part, io, at) : part
  })
}

function nameVariants(found: Found, union: JsonSchema, io: Direction, base: string): JsonSchema {
  const { propertyName } = union['discriminator'] as { propertyName: string }
  const mapping: Record<string, string> = {}
  const oneOf = (union['oneOf'] as JsonSchema[]).map((variant) => {
    const values = listDiscriminatorValues(found, variant, propertyName, io)
    const name = base + values.map(pascalCase).join('Or')
    const ref = (variant['$ref'] as string | undefined) ?? createRef(name, io)
    if (!variant['$ref']) found[io].set(name, variant)
    for (const value of values) mapping[value] = ref
    return { $ref: ref }
  })
  return { ...union, oneOf, discriminator: { propertyName, mapping } }
}

/** Returns the values that the discriminator property has in this variant. */
function listDiscriminatorValues(
  found: Found,
  variant: JsonSchema,
  property: string,
  io: Direction,
): string[] {
  const { $ref } = variant as { $ref?: string }
  if ($ref) {
    const name = $ref.slice(prefix.length).split('#')[0] ?? ''
    return listDiscriminatorValues(found, found[io].get(name) ?? {}, property, io)
  }
  const within = variant['oneOf'] as JsonSchema[] | undefined
  if (within)
    return [
      ...new Set(within.flatMap((each) => listDiscriminatorValues(found, each, property, io))),
    ]
  const properties = variant['properties'] as Record<string, JsonSchema>
  const { const: only, enum: choices } = properties[property] ?? {}
  return only === undefined ? ((choices ?? []) as string[]) : [only as string]
}

function findDiffering({ input, output }: Found): Set<string> {
  const plain = (schema: JsonSchema) =>
    JSON.stringify(mapRefs(schema, (ref) => ref.replace(/#(?:in|out)put$/, '')))
  const differing = new Set<string>()
  for (const [name, schema] of input) {
    const other = output.get(name)
    if (other && plain(other) !== plain(schema)) differing.add(name)
  }
  // A schema that refers to a schema with differences differs as well, so repeat until nothing changes.
  for (let size = -1; size !== differing.size;) {
    size = differing.size
    for (const [name, schema] of input) {
      const refs = [...plain(schema).matchAll(/"#\/components\/schemas\/([^"]+)"/g)]
      if (refs.some(([, ref]) => differing.has(ref ?? ''))) differing.add(name)
    }
  }
  return differing
}

function createRef(name: string, io: Direction): string {
  return `${prefix}${name}#${io}`
}

/** Calls `change` for every schema, the innermost first. `base` is extended by the property names on the path. */
function mapSchemas(
  schema: JsonSchema,
  base: string,
  change: (schema: JsonSchema, base: string) => JsonSchema,
): JsonSchema {
  const within = (value: unknown, at = base) => mapSchemas(value as JsonSchema, at, change)
  const copy = { ...schema }
  const { properties, items, additionalProperties } = schema
  if (properties) {
    copy['properties'] = Object.fromEntries(
      Object.entries(properties as object).map(([name, value]) => [
        name,
        within(value, base + pascalCase(name)),
      ]),
    )
  }
  if (typeof items === 'object' && items) copy['items'] = within(items)
  if (typeof additionalProperties === 'object' && additionalProperties) {
    copy['additionalProperties'] = within(additionalProperties)
  }
  for (const word of ['oneOf', 'anyOf', 'allOf'] as const) {
    const choices = schema[word] as JsonSchema[] | undefined
    if (choices) copy[word] = choices.map((choice) => within(choice))
  }
  return change(copy, base)
}

function mapRefs<V>(value: V, change: (ref: string) => string): V {
  if (typeof value === 'string') {
    return (value.startsWith(prefix) ? change(value) : value) as V
  }
  if (Array.isArray(value)) return value.map((each) => mapRefs(each, change)) as V
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, each]) => [key, mapRefs(each, change)]),
  ) as V
}
