// Suggests which tracks may be versions of the same song. One click links them.
import { useQuery } from '@tanstack/react-query'
import { IconLink } from '#web/base/ui/icons/icons.ts'
import {
  dismissVersionProposal,
  linkTrackVersions,
  listVersionProposals,
  type VersionProposal,
} from '#contract/admin/track-versions.ts'
import { call } from '../../base/api/api.ts'
import { formatCount, formatDuration } from '../../base/format/format-duration.ts'
import { ScreenLink } from '../../base/navigation/screen-link.tsx'
import { Button } from '../../base/ui/controls/button.tsx'
import { Card } from '../../base/ui/display/card.tsx'
import { useAdminMutation } from '../shared/use-admin-mutation.ts'
import styles from './version-proposals.module.css'

/** Shows suggestions for the tracks of one batch or import. Renders nothing if there are none. */
export function VersionsPanel({ batch }: { batch: string }) {
  const { data } = useQuery({
    // The query key starts with that of tracks, so that a change of tracks also refetches the suggestions.
    queryKey: ['admin', 'tracks', 'version-proposals', batch],
    queryFn: async ({ signal }) =>
      (await call(listVersionProposals, { query: { batch } }, { signal })).data,
  })
  const linking = useLinkAll()
  if (!data || data.length === 0) return null
  return (
    <Card
      title={`Possible versions of ${formatCount(data.length, 'song', 'songs')}`}
      description="Based on the same prompt or title. Members see linked tracks under “Other versions”."
      actions={
        data.length > 1 && (
          <Button
            size="small"
            icon={<IconLink />}
            busy={linking.isPending}
            onClick={() => linking.mutate(data)}
          >
            Link All
          </Button>
        )
      }
    >
      <VersionProposals proposals={data} />
    </Card>
  )
}

const reasons: Record<VersionProposal['by'], string> = {
  prompt: 'Same prompt',
  title: 'Same title and artist',
}

export function VersionProposals({ proposals }: { proposals: readonly VersionProposal[] }) {
  const linking = useLinkVersions()
  const dismissing = useAdminMutation({
    run: (track_ids: string[]) => call(dismissVersionProposal, { body: { track_ids } }),
    refresh: ['tracks'],
    done: 'Suggestion dismissed',
    failed: 'Failed to dismiss the suggestion',
  })
  return (
    <ul className={styles.list} aria-label="Suggested versions">
      {proposals.map(({ by, tracks }) => (
        <li key={tracks.map(({ id }) => id).join()} className={styles.row}>
          <span className={styles.words}>
            <span className={styles.titles}>
              {tracks.map(({ id, title, duration }) => (
                <span key={id}>
                  <ScreenLink to={`/admin/library?edit=${id}`} dir="auto">
                    {title}
                  </ScreenLink>{' '}
                  <span className={styles.note}>{formatDuration(duration)}</span>
                </span>
              ))}
            </span>
            <span className={styles.note}>{reasons[by]}</span>
          </span>
          <span className={styles.acts}>
            <Button
              size="small"
              icon={<IconLink />}
              disabled={linking.isPending || dismissing.isPending}
              aria-label={`Link the versions of ${tracks[0]?.title}`}
              onClick={() => linking.mutate(tracks.map(({ id }) => id))}
            >
              Link
            </Button>
            <Button
              size="small"
              variant="quiet"
              disabled={linking.isPending || dismissing.isPending}
              aria-label={`Dismiss the versions of ${tracks[0]?.title}`}
              onClick={() => dismissing.mutate(tracks.map(({ id }) => id))}
            >
              Dismiss
            </Button>
          </span>
        </li>
      ))}
    </ul>
  )
}

/** Links all suggestions one after another, because two of them may contain the same track. */
function useLinkAll() {
  return useAdminMutation<readonly VersionProposal[]>({
    async run(proposals) {
      for (const { tracks } of proposals) {
        await call(linkTrackVersions, { body: { track_ids: tracks.map(({ id }) => id) } })
      }
    },
    refresh: ['tracks'],
    done: (_, { length }) => `Versions of ${formatCount(length, 'song', 'songs')} linked`,
    failed: 'Failed to link the versions',
  })
}

export function useLinkVersions(onDone?: () => void) {
  return useAdminMutation({
    run: (track_ids: string[]) => call(linkTrackVersions, { body: { track_ids } }),
    refresh: ['tracks'],
    done: 'Linked as versions',
    failed: 'Failed to link the versions',
    ...(onDone && { onDone }),
  })
}
