// Suggests releases for tracks whose files have the same album tag or folder. One click creates a suggested release, or
// all of them.
import { useQuery } from '@tanstack/react-query'
import { IconCheck, IconX } from '#web/base/ui/icons/icons.ts'
import {
  confirmReleaseProposals,
  dismissReleaseProposals,
  listReleaseProposals,
  type AdminRelease,
  type ReleaseProposal,
} from '#contract/admin/admin-releases.ts'
import { releaseKindLabels } from '#contract/fields/release-fields.ts'
import { submitReview } from '#contract/creators/reviews.ts'
import { call } from '../../base/api/api.ts'
import { useMay } from '../../base/session/use-may.ts'
import { formatCount } from '../../base/format/format-duration.ts'
import { Button } from '../../base/ui/controls/button.tsx'
import { IconButton } from '../../base/ui/controls/icon-button.tsx'
import { Card } from '../../base/ui/display/card.tsx'
import { Cover } from '../../base/ui/display/cover.tsx'
import { showReason } from '../shared/admin-failure.ts'
import { useAdminMutation } from '../shared/use-admin-mutation.ts'
import styles from './proposals-panel.module.css'

export interface ProposalsPanelProps {
  /** Only suggest releases for this batch of uploaded files. */
  batch?: string
}

/** Renders nothing if there are no suggestions. */
export function ProposalsPanel({ batch }: ProposalsPanelProps) {
  const { data } = useQuery({
    // The query key starts with that of tracks, so that a change of tracks also refetches the suggestions.
    queryKey: ['admin', 'tracks', 'proposals', batch],
    queryFn: async ({ signal }) =>
      (await call(listReleaseProposals, { query: { ...(batch && { batch }) } }, { signal })).data,
  })
  const isEditor = useMay('editor')
  const finish = isEditor ? 'publish' : 'review'
  const confirming = useConfirm()
  const dismissing = useDismiss()
  const isBusy = confirming.isPending || dismissing.isPending
  if (!data || data.length === 0) return null
  const keys = data.map(({ key }) => key)
  return (
    <Card
      title={`${formatCount(data.length, 'suggested release', 'suggested releases')}`}
      description="Based on the album tags and folders of your files. Releases are created as drafts."
      actions={
        data.length > 0 && (
          <>
            <Button size="small" busy={isBusy} onClick={() => confirming.mutate({ keys })}>
              Create All
            </Button>
            <Button
              size="small"
              variant="primary"
              busy={isBusy}
              onClick={() => confirming.mutate({ keys, next: finish })}
            >
              {isEditor ? 'Create and Publish All' : 'Create All and Send for Review'}
            </Button>
          </>
        )
      }
    >
      <ul className={styles.list} aria-label="Suggested releases">
        {data.map((proposal) => (
          <li key={proposal.key} className={styles.row}>
            <ProposalText proposal={proposal} />
            <Button
              size="small"
              icon={<IconCheck />}
              disabled={isBusy}
              aria-label={`Create ${proposal.title}`}
              onClick={() => confirming.mutate({ keys: [proposal.key] })}
            >
              Create
            </Button>
            <IconButton
              size="small"
              label={`Dismiss ${proposal.title}`}
              disabled={isBusy}
              onClick={() => dismissing.mutate([proposal.key])}
            >
              <IconX />
            </IconButton>
          </li>
        ))}
      </ul>
    </Card>
  )
}

function ProposalText({ proposal }: { proposal: ReleaseProposal }) {
  const { title, artist, kind, year, tracks } = proposal
  const facts = [releaseKindLabels[kind], year, formatCount(tracks.length, 'track', 'tracks')]
  return (
    <>
      <span className={styles.cover}>
        <Cover
          url={proposal.cover_url}
          tint={proposal.cover_tint}
          placeholder={proposal.cover_placeholder}
          title={title}
          sizes="48px"
        />
      </span>
      <span className={styles.words}>
        <span className={styles.title} dir="auto">
          {title}
        </span>
        <span className={styles.note} dir="auto">
          {artist} · {facts.filter(Boolean).join(' · ')}
        </span>
      </span>
    </>
  )
}

interface Confirmation {
  keys: string[]
  /** What happens to a new release: it is published, or a creator's release is sent for review. */
  next?: 'publish' | 'review'
}

function useConfirm() {
  return useAdminMutation<Confirmation, { data: readonly AdminRelease[] }>({
    async run({ keys, next }) {
      const body = { keys, ...(next === 'publish' && { publish: true }) }
      const confirmed = await call(confirmReleaseProposals, { body })
      if (next === 'review') {
        for (const { id } of confirmed.data) {
          await call(submitReview, { body: { release_id: id, note: '' } })
        }
      }
      return confirmed
    },
    refresh: ['releases', 'tracks', 'reviews'],
    done: ({ data }, { next }) => summarize(data, next),
    failed: (error) => showReason(error, 'Failed to create release'),
  })
}

function summarize(confirmed: readonly AdminRelease[], next: Confirmation['next']): string {
  const published = confirmed.filter(({ is_published }) => is_published).length
  const count = formatCount(confirmed.length, 'release', 'releases')
  if (next === undefined) return `${count} created`
  if (next === 'review') return `${count} sent for review`
  return published === confirmed.length
    ? `${count} published`
    : `${count} created, ${published.toLocaleString('en')} published`
}

function useDismiss() {
  return useAdminMutation<string[]>({
    run: (keys) => call(dismissReleaseProposals, { body: { keys } }),
    refresh: ['tracks'],
    failed: (error) => showReason(error, 'Failed to dismiss the suggestion'),
  })
}
