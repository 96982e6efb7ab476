/**
 * Computes one value per object and caches it as long as the object is in use. For objects that are replaced instead of
 * changed.
 */
export function perObject<Source extends object, Value>(
  make: (source: Source) => Value,
): (source: Source) => Value {
  const made = new WeakMap<Source, { value: Value }>()
  return (source) => {
    const before = made.get(source)
    if (before) return before.value
    const value = make(source)
    made.set(source, { value })
    return value
  }
}
