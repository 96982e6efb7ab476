// Returns the ids at a path in a request, such as `body.tracks.track_id`. If a value on the path is an array, reads
// each element.

export function readIds(input: unknown, path: string): string[] {
  const values = path.split('.').reduce<unknown[]>(
    (found, name) =>
      found.flatMap((value) => {
        const next: unknown =
          typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined
        return Array.isArray(next) ? (next as unknown[]) : [next]
      }),
    [input],
  )
  return values.filter((value) => typeof value === 'string')
}
