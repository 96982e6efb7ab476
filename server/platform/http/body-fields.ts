// Fields of a request body, named by their path, such as `change.kind`.
import type { BodyFields } from '#contract/endpoint.ts'

/** Whether one of the fields has a matching value. */
export function matchesFields(fields: BodyFields, body: unknown): boolean {
  return Object.entries(fields).some(([path, values]) => {
    const value = readField(body, path)
    return values === 'any value' ? value !== undefined : values.some((each) => each === value)
  })
}

export function readField(body: unknown, path: string): unknown {
  return path
    .split('.')
    .reduce<unknown>(
      (value, name) =>
        typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined,
      body,
    )
}
