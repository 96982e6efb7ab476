// Descriptions and example values of fields that mean the same wherever they occur, by name. The API description uses
// them where a schema has no description of its own (`z.describe`).
import { catalogueNotes } from './catalogue-notes.ts'
import { moneyNotes } from './money-notes.ts'
import { peopleNotes } from './people-notes.ts'
import { serviceNotes } from './service-notes.ts'

/** Without an example, one is generated from the schema. */
export type FieldNotes = Readonly<Record<string, readonly [description: string, example?: unknown]>>

const fieldNotes: FieldNotes = { ...catalogueNotes, ...peopleNotes, ...moneyNotes, ...serviceNotes }

/** A name that ends like `created_at` belongs to a timestamp. */
const moment = /(?:_at|At)$/

/** The description of a field, if the name means the same everywhere. */
export function describeField(name: string): string | undefined {
  if (Object.hasOwn(fieldNotes, name)) return fieldNotes[name]?.[0]
  return moment.test(name)
    ? `Time when it was ${name.replace(moment, '').replaceAll('_', ' ')}.`
    : undefined
}

/** A realistic value; undefined if none is noted. */
export function exampleOfField(name: string): unknown {
  return Object.hasOwn(fieldNotes, name) ? fieldNotes[name]?.[1] : undefined
}
