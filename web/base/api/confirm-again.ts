// Operations that need a recent password or code are refused with `reauthentication_required`. The call waits here
// until the person has confirmed or cancelled; calls that wait at once share one dialog.
import { create } from 'zustand'

export interface ConfirmQuestion {
  /** Each has another. */
  number: number
  /** True: confirmed, and the waiting requests are sent again. */
  answer: (isConfirmed: boolean) => void
}

export const useConfirmQuestion = create<{ question: ConfirmQuestion | null }>(() => ({
  question: null,
}))

let asking: Promise<boolean> | null = null
let count = 0

/** Resolves to false when the person cancels. */
export function askToConfirm(): Promise<boolean> {
  asking ??= new Promise<boolean>((resolve) => {
    const answer = (isConfirmed: boolean) => {
      asking = null
      useConfirmQuestion.setState({ question: null })
      resolve(isConfirmed)
    }
    useConfirmQuestion.setState({ question: { number: ++count, answer } })
  })
  return asking
}
