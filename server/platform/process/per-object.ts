/** Computes a value per object and caches it while the object is in use. Only for objects that are never changed. */
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
