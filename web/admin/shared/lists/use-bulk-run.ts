// Runs an action for each selected item, a limited number at a time. Then shows how many succeeded and the first error.
import { useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { formatCount } from '../../../base/format/format-duration.ts'
import { showToast } from '../../../base/ui/overlays/toast-store.ts'
import { offerUndo, type Undo } from '../offer-undo.ts'
import { refreshAfterChange, type AdminList } from '../refresh-after-change.ts'
import { runConcurrently } from './run-concurrently.ts'

export interface BulkKind {
  /** The singular: 'track'. */
  one: string
  /** The plural: 'tracks'. */
  many: string
  /** Lists to refetch after the action. */
  refresh: readonly AdminList[]
}

export interface BulkRunTexts {
  /** What was done, for the toast: 'published'. */
  done: string
  failed: (error: unknown) => void
  /** Reverts the action. Called with the ids of the items for which it succeeded. */
  undo?: (ids: string[]) => Undo
}

export interface BulkRun {
  /** Progress, 0 to 1. Undefined while nothing is running. */
  share: number | undefined
  run: (ids: string[], act: (id: string) => Promise<unknown>, texts: BulkRunTexts) => Promise<void>
}

/** Calls `onDone` only if the action succeeded for every item. */
export function useBulkRun({ one, many, refresh }: BulkKind, onDone: () => void): BulkRun {
  const queryClient = useQueryClient()
  const [share, setShare] = useState<number>()
  const isRunning = useRef(false)

  async function run(ids: string[], act: (id: string) => Promise<unknown>, texts: BulkRunTexts) {
    if (isRunning.current) return
    isRunning.current = true
    setShare(0)
    const doneIds: string[] = []
    const runAndRecord = async (id: string) => {
      await act(id)
      doneIds.push(id)
    }
    const failures = await runConcurrently(ids, runAndRecord, (done) => setShare(done / ids.length))
    await refreshAfterChange(queryClient, refresh)
    isRunning.current = false
    setShare(undefined)
    if (doneIds.length > 0) {
      const title = `${formatCount(doneIds.length, one, many)} ${texts.done}`
      if (texts.undo) offerUndo(queryClient, title, refresh, texts.undo(doneIds))
      else showToast({ tone: 'success', title })
    }
    if (failures.length > 0) texts.failed(failures[0])
    else onDone()
  }
  return { share, run }
}
