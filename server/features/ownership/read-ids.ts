// Returns the ids at the path of a field in a request. The path may continue through arrays: `body.tracks.track_id`.

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
