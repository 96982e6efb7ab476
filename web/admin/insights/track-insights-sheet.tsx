// Insights of one track: retention curve and daily plays.
import { useMemo } from 'react'
import { curveParts, previewLeadDays, type getTrackInsights } from '#contract/admin/insights.ts'
import type { Output } from '#contract/endpoint.ts'
import { errorText } from '../../base/api/show-error.ts'
import { ErrorState } from '../../base/ui/display/error-state.tsx'
import { formatClock } from '../../base/format/format-clock.ts'
import { Sheet } from '../../base/ui/overlays/sheet.tsx'
import { Skeleton } from '../../base/ui/display/skeleton.tsx'
import { EntityLink } from '../shared/entity-link.tsx'
import { useLast } from '../shared/lists/use-last.ts'
import { ChartCard } from './chart-card.tsx'
import { formatCount, formatShare, formatShortDay } from '../../base/format/format-number.ts'
import { useTrackInsights, type Days } from './insight-queries.ts'
import styles from './insights-screen.module.css'
import type { ChartSeries } from './line-chart.tsx'
import { computeRetentionCurve } from './retention-curve.ts'

export interface TrackInsightsSheetProps {
  /** Empty while the sheet is closed. */
  trackId: string
  days: Days
  onClose: () => void
}

export function TrackInsightsSheet({ trackId, days, onClose }: TrackInsightsSheetProps) {
  const shown = useLast(trackId || null) ?? ''
  const track = useTrackInsights(shown, days)
  return (
    <Sheet open={trackId !== ''} onClose={onClose} title={track.data?.title ?? 'Track'}>
      {track.data ? (
        <>
          <p className={styles.trackLink}>
            <EntityLink entity="track" entityKey={shown} name="Open in Library" />
          </p>
          <TrackNumbers track={track.data} />
        </>
      ) : track.error ? (
        <ErrorState
          title="Failed to load the track"
          message={errorText(track.error)}
          busy={track.isFetching}
          onRetry={() => void track.refetch()}
        />
      ) : (
        <Skeleton height="20rem" />
      )}
    </Sheet>
  )
}

type TrackAnswer = Output<typeof getTrackInsights>

const percent = (share: number) => formatShare(share / 100)

function TrackNumbers({ track }: { track: TrackAnswer }) {
  const sum = (name: 'plays' | 'previews' | 'starts' | 'completed') =>
    track.days.reduce((total, day) => total + day[name], 0)
  const [starts, completed] = [sum('starts'), sum('completed')]
  const curve = useMemo<{ labels: string[]; series: ChartSeries[] }>(
    () => ({
      labels: Array.from({ length: curveParts + 1 }, (_, part) =>
        formatClock((track.duration * part) / curveParts),
      ),
      series: [
        {
          label: 'Still listening',
          values: computeRetentionCurve(track.left_at).map((share) => share * 100),
          look: 'main',
        },
      ],
    }),
    [track],
  )
  const daily = useMemo<{ labels: string[]; series: ChartSeries[] }>(
    () => ({
      labels: track.days.map(({ day }) => formatShortDay(day)),
      series: [
        { label: 'Plays', values: track.days.map(({ plays }) => plays), look: 'main' },
        { label: 'Previews', values: track.days.map(({ previews }) => previews), look: 'second' },
      ],
    }),
    [track],
  )
  return (
    <>
      <p className={styles.description}>{track.artist}</p>
      <dl className={styles.facts}>
        <dt>Plays</dt>
        <dd>{formatCount(sum('plays'))}</dd>
        <dt>Previews</dt>
        <dd>{formatCount(sum('previews'))}</dd>
        {track.early_access_plays !== null && (
          <>
            <dt>Early access plays</dt>
            <dd>{formatCount(track.early_access_plays)}</dd>
          </>
        )}
        <dt>Completion</dt>
        <dd>{formatShare(starts === 0 ? null : completed / starts)}</dd>
        <dt>Premium conversions</dt>
        <dd>
          {formatCount(track.conversions)} within {previewLeadDays} days of a preview
        </dd>
      </dl>
      <ChartCard
        bare
        title="Where listeners leave"
        description={`How many of ${formatCount(starts)} who started it were still listening.`}
        rowTitle="At"
        format={percent}
        {...curve}
      />
      <ChartCard
        bare
        title="By day"
        description="Plays and previews that were counted."
        rowTitle="Day"
        format={formatCount}
        {...daily}
      />
    </>
  )
}
