// A preview of the tracks that match the rules, updated during editing.
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { SmartRules } from '#contract/fields/smart-rules.ts'
import { previewSmartPlaylist } from '#contract/smart-playlists.ts'
import { IconMusicOff } from '#web/base/ui/icons/icons.ts'
import { call } from '../../base/api/api.ts'
import { errorText } from '../../base/api/show-error.ts'
import { formatCount, formatTotal } from '../../base/format/format-duration.ts'
import { EmptyState } from '../../base/ui/display/empty-state.tsx'
import { ErrorState } from '../../base/ui/display/error-state.tsx'
import { Skeleton } from '../../base/ui/display/skeleton.tsx'
import { useSettled } from '../../base/ui/layout/use-settled.ts'
import { TrackLabel } from '../catalogue/cards/track-label.tsx'
import styles from './smart-preview.module.css'

const editingPauseMs = 400

export function SmartPreview({ rules }: { rules: SmartRules | null }) {
  const wanted = JSON.stringify(rules)
  const settled = useSettled(wanted, editingPauseMs)
  const preview = useQuery({
    queryKey: ['tracks', 'smart-preview', settled] as const,
    queryFn: ({ signal }) =>
      call(
        previewSmartPlaylist,
        { body: { rules: JSON.parse(settled) as SmartRules } },
        { signal },
      ),
    enabled: settled !== 'null',
    placeholderData: keepPreviousData,
  })
  if (!rules) return <p className={styles.count}>Complete a rule to preview matching tracks.</p>
  if (preview.isError) {
    return (
      <ErrorState
        title="The preview could not be loaded"
        message={errorText(preview.error)}
        busy={preview.isFetching}
        onRetry={() => void preview.refetch()}
      />
    )
  }
  if (!preview.data) return <Skeleton height="12rem" />
  const { total, duration, data } = preview.data
  return (
    <div className={styles.preview} aria-busy={wanted !== settled || preview.isFetching}>
      <p className={styles.count} role="status">
        {total === 0
          ? 'No matching tracks'
          : `${formatCount(total, 'track', 'tracks')} · ${formatTotal(duration)}`}
      </p>
      {total === 0 ? (
        <EmptyState
          icon={<IconMusicOff />}
          title="No tracks match these rules yet"
          message="Matching tracks are added automatically."
        />
      ) : (
        <ol className={styles.tracks}>
          {data.map((track) => (
            <li key={track.id} className={styles.track}>
              <TrackLabel track={track} size="small" />
            </li>
          ))}
        </ol>
      )}
      {total > data.length && <p className={styles.more}>and {total - data.length} more</p>}
    </div>
  )
}
