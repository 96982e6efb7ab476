// Keeps the content of a dialog while it closes.
import { useState } from 'react'

/** Returns the value, or the last non-null one. */
export function useLast<Value>(value: Value | null): Value | null {
  const [last, setLast] = useState(value)
  if (value !== null && value !== last) setLast(value)
  return value ?? last
}
