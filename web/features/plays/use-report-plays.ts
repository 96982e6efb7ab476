// Reports plays while a user is signed in, and updates the recently played tracks.
import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { reportPlay } from '#contract/plays.ts'
import { ApiError, call } from '../../base/api/api.ts'
import { beforeSignOut } from '../../base/session/before-sign-out.ts'
import { getKnownMember } from '../../base/session/session.ts'
import { pause } from '../player/playback/player-actions.ts'
import { homeQuery } from '../catalogue/queries/home-queries.ts'
import { recentlyPlayedQuery } from '../catalogue/queries/recent-queries.ts'
import { reportPlays, type PlayReport } from './report-plays.ts'

/** The server lists a track as recently played after this many seconds. */
const recentAfterSeconds = 5

export function useReportPlays(): void {
  const queryClient = useQueryClient()
  useEffect(() => {
    const listed = new Set<string>()
    const pendingReports = new Set<Promise<void>>()

    async function send(report: PlayReport): Promise<void> {
      try {
        await call(reportPlay, { body: report }, { outlivesPage: true })
      } catch (error) {
        // Ignore failures: the next report includes everything in this one, so don't interrupt playback with a
        // message.
        if (error instanceof ApiError) return
        throw error
      }
      if (report.heard_seconds < recentAfterSeconds || listed.has(report.play_id)) return
      listed.add(report.play_id)
      void queryClient.invalidateQueries(recentlyPlayedQuery)
      // Don't refetch the shelf while it is visible: it would reorder under the pointer.
      void queryClient.invalidateQueries({ queryKey: homeQuery.queryKey, refetchType: 'none' })
    }

    const end = reportPlays({
      async send(report) {
        // The server accepts plays only with a session.
        if (!getKnownMember(queryClient)) return
        const sending = send(report)
        pendingReports.add(sending)
        await sending.finally(() => pendingReports.delete(sending))
      },
    })
    const stopWaiting = beforeSignOut(() => {
      // Pause first, which sends a report of the time played so far.
      pause()
      return Promise.allSettled(pendingReports)
    })
    return () => {
      stopWaiting()
      end()
    }
  }, [queryClient])
}
