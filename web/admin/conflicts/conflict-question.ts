// Opens the conflict dialog when someone else saved the same fields. The user chooses the value to keep for each field.
import { create } from 'zustand'

export interface FieldConflict {
  field: string
  label: string
  mine: string
  theirs: string
}

export interface ConflictQuestion {
  /** How the messages name the entity: 'this track'. */
  what: string
  changedBy: string | null
  changedAt: string | null
  fields: readonly FieldConflict[]
  /** The fields for which the other person's value was chosen. Null if saving was canceled. */
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
