// Responses whose shape depends on the `action` of the request.
import * as z from 'zod/mini'

type Together<Union> = (Union extends unknown ? (one: Union) => void : never) extends (
  all: infer All,
) => void
  ? All
  : never

/**
 * Excludes the empty object, which adds no fields. Its inferred type has an index signature, which would reject the
 * fields of the other shapes.
 */
type Fields<Shape> = string extends keyof z.infer<Shape> ? never : Partial<z.infer<Shape>>

type AllFields<Shapes extends readonly z.ZodMiniObject[]> = Together<
  { [Key in keyof Shapes]: Fields<Shapes[Key]> }[number]
>

/**
 * Merges the shapes of several responses into one type with optional fields. The first match is used, so a shape with
 * fewer fields must come after the shapes that have all of its fields.
 */
export function mergeShapes<
  const Shapes extends readonly [z.ZodMiniObject, z.ZodMiniObject, ...z.ZodMiniObject[]],
>(...shapes: Shapes): z.ZodMiniType<AllFields<Shapes>> {
  return z.union(shapes) as unknown as z.ZodMiniType<AllFields<Shapes>>
}

/** Adds a description to a shape. It names the actions that return this shape. */
export function describeShape<Shape extends z.core.$ZodShape>(
  description: string,
  shape: Shape,
): z.ZodMiniObject<Shape> {
  return z.object(shape).check(z.describe(description)) as z.ZodMiniObject<Shape>
}
