// What is edited on top of what the server says. While nothing is changed it follows the server; from
// the first change on it stays as it is under one's hands, until it is saved.
import { useState } from 'react'

export interface Draft<Source, Form> {
  /** What the server said when the draft began. */
  base: Source
  form: Form
  isChanged: boolean
  setForm: (form: Form) => void
  /** Begins anew, from what was saved. */
  restart: (source: Source) => void
}

/** `formOf` and `isSame` are declared outside of the component. */
export function useDraft<Source, Form>(
  source: Source,
  formOf: (source: Source) => Form,
  isSame: (a: Form, b: Form) => boolean = isSameJson,
): Draft<Source, Form> {
  const [base, setBase] = useState(source)
  const [form, setForm] = useState(() => formOf(source))
  const isChanged = !isSame(form, formOf(base))
  function restart(next: Source) {
    setBase(next)
    setForm(formOf(next))
  }
  if (source !== base && !isChanged) restart(source)
  return { base, form, isChanged, setForm, restart }
}

/** The fields that were changed: others may have changed the rest in the meantime. */
export function changedFields<Form extends object>(form: Form, before: Form): Partial<Form> {
  const changed = Object.entries(form).filter(
    ([name, value]) => !isSameJson(value, before[name as keyof Form]),
  )
  return Object.fromEntries(changed) as Partial<Form>
}

function isSameJson(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b)
}
