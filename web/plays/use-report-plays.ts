// Reports plays while somebody is signed in, and shows what was heard among the recently played.
import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { reportPlay } from '#contract/plays.ts'
import { ApiError, call } from '../app/api.ts'
import { recentlyPlayedQuery } from './recent-queries.ts'
import { reportPlays, type PlayReport } from './report-plays.ts'

/** From so much on the server lists a track among the recently played. */
const recentAfterSeconds = 5

export function useReportPlays(): void {
  const queryClient = useQueryClient()
  useEffect(() => {
    const listed = new Set<string>()
    return reportPlays({
      async send(report: PlayReport) {
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
      },
    })
  }, [queryClient])
}
