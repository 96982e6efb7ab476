// A form's validation errors by field. `form` is the ref of the form element.
import { useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { focusFirstProblem } from '../ui/layout/focus.ts'

export function useProblems<Problems extends object, Form extends HTMLElement = HTMLFormElement>() {
  const form = useRef<Form>(null)
  const [problems, setProblems] = useState<Partial<Problems>>({})

  /** Shows the problems and focuses the first field that has one. Returns true if there is a problem. */
  function showProblems(found: Partial<Problems>): boolean {
    const hasProblem = Object.values(found).some(Boolean)
    if (!hasProblem) setProblems(found)
    else {
      // Render the problems now: a field is marked as invalid, and found by the query, only after it has rendered.
      flushSync(() => setProblems(found))
      focusFirstProblem(form.current)
    }
    return hasProblem
  }
  return { form, problems, showProblems }
}
