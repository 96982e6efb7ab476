// Keeps the content of a dialog visible while the dialog closes.
import { useState } from 'react'

/** Returns the value. If it is null, returns the last value that was not null. */
export function useLast<Value>(value: Value | null): Value | null {
  const [last, setLast] = useState(value)
  if (value !== null && value !== last) setLast(value)
  return value ?? last
}
