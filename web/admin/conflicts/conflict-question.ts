// When somebody else saved the same fields, opens a dialog that asks which value to keep, field by field.
import { create } from 'zustand'

export interface FieldConflict {
  field: string
  label: string
  mine: string
  theirs: string
}

export interface ConflictQuestion {
  /** 'this track' */
  what: string
  changedBy: string | null
  changedAt: string | null
  fields: readonly FieldConflict[]
  /** Fields that take the other person's value. Null when the save is cancelled. */
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
