// Opens the conflict dialog when two people changed the same fields. The user chooses the value of each field.
import { create } from 'zustand'

export interface FieldConflict {
  field: string
  label: string
  mine: string
  theirs: string
}

export interface ConflictQuestion {
  /** The entity as named in messages: 'this track'. */
  what: string
  changedBy: string | null
  changedAt: string | null
  fields: readonly FieldConflict[]
  /** Called with the fields for which the user chose the other person's value, or with null if the user canceled. */
  answer: (theirs: ReadonlySet<string> | null) => void
}

export const useConflictQuestion = create<{ question: ConflictQuestion | null }>(() => ({
  question: null,
}))

export function resolveConflicts(
  question: Omit<ConflictQuestion, 'answer'>,
): Promise<ReadonlySet<string> | null> {
  return new Promise((resolve) => {
    const answer = (theirs: ReadonlySet<string> | null) => {
      useConflictQuestion.setState({ question: null })
      resolve(theirs)
    }
    useConflictQuestion.setState({ question: { ...question, answer } })
  })
}
