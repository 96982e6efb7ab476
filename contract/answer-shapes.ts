// Responses whose shape depends on the `action` of the request.
import * as z from 'zod/mini'

type Together<Union> = (Union extends unknown ? (one: Union) => void : never) extends (
  all: infer All,
) => void
  ? All
  : never

/** An object without fields adds none: its type would forbid those of the others. */
type Fields<Shape> = string extends keyof z.infer<Shape> ? never : Partial<z.infer<Shape>>

type AllFields<Shapes extends readonly z.ZodMiniObject[]> = Together<
  { [Key in keyof Shapes]: Fields<Shapes[Key]> }[number]
>

/**
 * One of several objects. For callers they are one type with optional fields: they know which fields their action gives.
 * A shape with fewer fields must come after one that has them all.
 */
export function oneShapeOf<
  const Shapes extends readonly [z.ZodMiniObject, z.ZodMiniObject, ...z.ZodMiniObject[]],
>(...shapes: Shapes): z.ZodMiniType<AllFields<Shapes>> {
  return z.union(shapes) as unknown as z.ZodMiniType<AllFields<Shapes>>
}

/** `description` names the actions that give it. */
export function describeShape<Shape extends z.core.$ZodShape>(
  description: string,
  shape: Shape,
): z.ZodMiniObject<Shape> {
  return z.object(shape).check(z.describe(description)) as z.ZodMiniObject<Shape>
}
