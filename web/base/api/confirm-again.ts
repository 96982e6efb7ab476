// Operations that need a recent password or code are rejected with `reauthentication_required`. The call then stays
// pending until the user confirms or cancels. Concurrent calls share one dialog.
import { create } from 'zustand'

export interface ConfirmQuestion {
  /** Unique for each opening of the dialog. */
  number: number
  /** Closes the question. `true` sends the pending requests again; `false` rejects them. */
  answer: (isConfirmed: boolean) => void
}

export const useConfirmQuestion = create<{ question: ConfirmQuestion | null }>(() => ({
  question: null,
}))

let pending: Promise<boolean> | null = null
let count = 0

/** Resolves to false when the user cancels. */
export function requestConfirmation(): Promise<boolean> {
  pending ??= new Promise<boolean>((resolve) => {
    const answer = (isConfirmed: boolean) => {
      pending = null
      useConfirmQuestion.setState({ question: null })
      resolve(isConfirmed)
    }
    useConfirmQuestion.setState({ question: { number: ++count, answer } })
  })
  return pending
}
