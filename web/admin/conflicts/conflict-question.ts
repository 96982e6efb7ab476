// Asks which of two values stays, field by field, when somebody else saved the same fields in between.
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
  /** The fields that take the other's value; null: the save is given up for now. */
  answer: (theirs: ReadonlySet<string> | null) => void
}

export const useConflictQuestion = create<{ question: ConflictQuestion | null }>(() => ({
  question: null,
}))

export function askAboutConflicts(
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
