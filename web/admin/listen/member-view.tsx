// Previews a draft or published track as members see it: its row in a list, and the full player, for Free and Premium.
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { TrackDetail } from '#contract/tracks.ts'
import { errorText } from '../../base/api/show-error.ts'
import { TrackRow } from '../../features/catalogue/track-row.tsx'
import { trackDetailOptions } from '../../features/player/playback/track-detail.ts'
import { Badge } from '../../base/ui/display/badge.tsx'
import { Dialog } from '../../base/ui/overlays/dialog.tsx'
import { ErrorState } from '../../base/ui/display/error-state.tsx'
import { Skeleton } from '../../base/ui/display/skeleton.tsx'
import { Tabs } from '../../base/ui/layout/tabs.tsx'
import { useCategoryOptions } from '../track-data/track-queries.ts'
import { useLast } from '../shared/lists/use-last.ts'
import { MemberStage } from './member-stage.tsx'
import styles from './member-view.module.css'
import layout from '../../base/ui/layout/layout.module.css'

export interface MemberViewProps {
  /** Null while the dialog is closed. */
  trackId: string | null
  onClose: () => void
}

export function MemberView({ trackId, onClose }: MemberViewProps) {
  const id = useLast(trackId)
  const { data, error, isFetching, refetch } = useQuery({
    ...trackDetailOptions(id ?? ''),
    enabled: trackId !== null,
    staleTime: 0,
  })
  return (
    <Dialog
      open={trackId !== null}
      onClose={onClose}
      size="large"
      title="View as member"
      description={data && describeState(data)}
    >
      {data ? (
        <Plans track={data} />
      ) : error ? (
        <ErrorState
          title="Failed to load track"
          message={errorText(error)}
          busy={isFetching}
          onRetry={() => void refetch()}
        />
      ) : (
        <div aria-busy="true">
          <Skeleton height="24rem" />
        </div>
      )}
    </Dialog>
  )
}

function describeState({ is_published }: TrackDetail): string {
  return is_published
    ? 'Published: members see this now.'
    : 'Draft: members see this after you publish it.'
}

function Plans({ track }: { track: TrackDetail }) {
  const [plan, setPlan] = useState('free')
  return (
    <Tabs
      label="Member plan"
      value={plan}
      onChange={setPlan}
      tabs={[
        { id: 'free', label: 'Free', panel: <MemberTrack track={track} isPremium={false} /> },
        { id: 'premium', label: 'Premium', panel: <MemberTrack track={track} isPremium /> },
      ]}
    />
  )
}

function MemberTrack({ track, isPremium }: { track: TrackDetail; isPremium: boolean }) {
  const categories = useCategoryOptions()
  const category =
    categories.data?.find(({ value }) => value === track.category)?.label ?? track.category
  return (
    <div className={layout.stack3}>
      <h3 className={styles.heading}>In a list</h3>
      {/* Inert and hidden from screen readers, because the player below has the same text. */}
      <div className={styles.row} data-list-size="medium" inert>
        <TrackRow
          track={track}
          index={0}
          inTabOrder={false}
          facets={[track.genre, category]}
          onPlay={() => {}}
        />
      </div>
      <h3 className={styles.heading}>In the player</h3>
      <MemberStage track={track} isPremium={isPremium} />
      <div className={styles.facts}>
        {track.description && <p>{track.description}</p>}
        {track.tags.length > 0 && (
          <p className={layout.line2}>
            {track.tags.map((tag) => (
              <Badge key={tag}>{tag}</Badge>
            ))}
          </p>
        )}
        {track.credits && <p className={styles.credits}>{track.credits}</p>}
      </div>
    </div>
  )
}
