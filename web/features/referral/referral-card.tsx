// The member's referral link and its results.
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { createReferralLink, getOwnReferrals } from '#contract/referrals.ts'
import type { Output } from '#contract/endpoint.ts'
import { call } from '../../base/api/api.ts'
import { showError } from '../../base/api/show-error.ts'
import { copyText } from '../../base/browser/copy-text.ts'
import { useSite } from '../../base/session/site.ts'
import { Button } from '../../base/ui/controls/button.tsx'
import { Card } from '../../base/ui/display/card.tsx'
import { showToast } from '../../base/ui/overlays/toast-store.ts'
import styles from './referral.module.css'
import { formatMonths } from './format-months.ts'

type Referrals = Output<typeof getOwnReferrals>

const referralsKey = ['referrals'] as const

/** Renders nothing if the owner has no offer, unless friends of the member have already joined. */
export function ReferralCard() {
  const { data } = useQuery({
    queryKey: referralsKey,
    queryFn: ({ signal }) => call(getOwnReferrals, {}, { signal }),
  })
  if (!data || (data.months === 0 && data.joined === 0)) return null
  return (
    <Card
      title="Bring a Friend"
      description={
        data.months === 0
          ? 'There are no new links at the moment. You keep the months you have earned.'
          : `When a friend joins with your link and subscribes, you both get ${formatMonths(data.months)} of Premium.`
      }
    >
      <div className={styles.card}>
        {data.months > 0 && <Link url={data.url} />}
        <ReferralResults {...data} />
        {data.months > 0 && (
          <p className={styles.note}>
            {data.wait_days > 0 &&
              `You get the months ${data.wait_days} days after the first payment. `}
            They reduce your next payments or are added to your account. Up to {data.yearly_limit}{' '}
            friends a year count.
          </p>
        )}
      </div>
    </Card>
  )
}

function Link({ url }: { url: string | null }) {
  const queryClient = useQueryClient()
  const creating = useMutation({
    mutationFn: () => call(createReferralLink, {}),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: referralsKey }),
    onError: (error) => showError(error),
  })
  if (url === null) {
    return (
      <div>
        <Button variant="primary" busy={creating.isPending} onClick={() => creating.mutate()}>
          Create My Link
        </Button>
      </div>
    )
  }
  return <OpenLink url={url} />
}

function OpenLink({ url }: { url: string }) {
  const { brand_name } = useSite()
  async function share() {
    try {
      await navigator.share({ title: brand_name, text: `Listen with me on ${brand_name}`, url })
    } catch (error) {
      // A canceled share is not an error.
      if (!(error instanceof DOMException && error.name === 'AbortError')) await copy(url)
    }
  }
  return (
    <div className={styles.link}>
      <input
        className={styles.url}
        aria-label="Your link"
        readOnly
        value={url}
        onFocus={({ target }) => target.select()}
      />
      <Button onClick={() => void copy(url)}>Copy</Button>
      {typeof navigator.share === 'function' && <Button onClick={() => void share()}>Share</Button>}
    </div>
  )
}

async function copy(url: string): Promise<void> {
  try {
    await copyText(url)
    showToast({ tone: 'success', title: 'Link copied' })
  } catch (error) {
    showError(error, `The link could not be copied: ${url}`)
  }
}

function ReferralResults({ joined, paid, months_earned, months_waiting }: Referrals) {
  if (joined === 0 && months_earned + months_waiting === 0) {
    return <p className={styles.note}>Nobody has joined with your link yet.</p>
  }
  const earned = [
    months_earned > 0 && `You got ${formatMonths(months_earned)} of Premium.`,
    months_waiting > 0 && `${capital(formatMonths(months_waiting))} will follow.`,
  ].filter(Boolean)
  return (
    <p className={styles.outcome} role="status">
      {joined > 0 &&
        `${joined === 1 ? '1 friend' : `${joined} friends`} joined, ${paid} became Premium. `}
      {earned.join(' ')}
    </p>
  )
}

const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)
