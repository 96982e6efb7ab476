// Reports plays while somebody is signed in, and shows what was heard among the recently played.
import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { reportPlay } from '#contract/plays.ts'
import { ApiError, call } from '../app/api.ts'
import { beforeSignOut } from '../app/before-sign-out.ts'
import { knownMember } from '../app/session.ts'
import { pause } from '../player/player-actions.ts'
import { recentlyPlayedQuery } from './recent-queries.ts'
import { reportPlays, type PlayReport } from './report-plays.ts'

/** From so much on the server lists a track among the recently played. */
const recentAfterSeconds = 5

export function useReportPlays(): void {
  const queryClient = useQueryClient()
  useEffect(() => {
    const listed = new Set<string>()
    const onTheWay = new Set<Promise<void>>()

    async function send(report: PlayReport): Promise<void> {
      try {
        await call(reportPlay, { body: report }, { outlivesPage: true })
      } catch (error) {
        // No answer, or a refusal: the next report holds all that this one did, and music that
        // plays is no moment for a message about counting.
        if (error instanceof ApiError) return
        throw error
      }
      if (report.heard_seconds < recentAfterSeconds || listed.has(report.play_id)) return
      listed.add(report.play_id)
      void queryClient.invalidateQueries(recentlyPlayedQuery)
    }

    const end = reportPlays({
      async send(report) {
        // The server takes no play without a session.
        if (!knownMember(queryClient)) return
        const sending = send(report)
        onTheWay.add(sending)
        await sending.finally(() => onTheWay.delete(sending))
      },
    })
    const stopWaiting = beforeSignOut(() => {
      // Makes what was heard so far a report.
      pause()
      return Promise.allSettled(onTheWay)
    })
    return () => {
      stopWaiting()
      end()
    }
  }, [queryClient])
}
