// Shared schemas for Stripe's objects, and helpers that read values from them.
import * as z from 'zod/mini'
import { AppError } from '../../platform/operations/app-error.ts'

export const text = z.string().check(z.minLength(1), z.maxLength(255))
export const seconds = z.number().check(z.int(), z.minimum(0), z.maximum(253_402_300_799))
export const maybe = <T extends z.ZodMiniType>(schema: T) => z.optional(z.nullable(schema))
/** A reference to another object of Stripe: its id, or the object itself if the request expanded it. */
export const reference = maybe(z.union([text, z.object({ id: text })]))

export const envelope = z.object({
  id: text,
  type: text,
  created: seconds,
  data: z.object({
    object: z.record(z.string(), z.unknown()),
    previous_attributes: maybe(z.object({ status: maybe(z.string()) })),
  }),
})
export type Envelope = z.output<typeof envelope>

export const cents = z.number().check(z.int(), z.minimum(0))
export const currency = z.string().check(z.regex(/^[a-z]{3}$/))

/** Parses a value. Throws `webhook_invalid` if it does not match the schema. */
export function parseShape<T extends z.ZodMiniType>(schema: T, value: unknown): z.output<T> {
  const result = z.safeParse(schema, value)
  if (result.success) return result.data
  const details = result.error.issues.map(({ path, message }) => ({
    field: path.join('.'),
    message,
  }))
  throw new AppError('webhook_invalid', { details })
}

export function toId(value: string | { id: string } | null | undefined): string | null {
  return (typeof value === 'string' ? value : value?.id) ?? null
}

export function toTimestampOrNull(time: number | null | undefined): string | null {
  return time == null ? null : toTimestamp(time)
}

export function toTimestamp(time: number): string {
  return new Date(time * 1000).toISOString()
}
