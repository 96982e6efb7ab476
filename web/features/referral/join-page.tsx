// The screen /join/{code}, which a member's referral link opens. Stores the code until sign-up.
import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useParams } from 'react-router'
import { getReferralOffer } from '#contract/referrals.ts'
import { ApiError, call } from '../../base/api/api.ts'
import { errorText } from '../../base/api/show-error.ts'
import { ButtonLink } from '../../base/navigation/screen-link.tsx'
import { useSession } from '../../base/session/session.ts'
import { useSite } from '../../base/session/site.ts'
import { Card } from '../../base/ui/display/card.tsx'
import { ErrorState } from '../../base/ui/display/error-state.tsx'
import { Skeleton } from '../../base/ui/display/skeleton.tsx'
import { storeReferral } from './stored-referral.ts'
import styles from './referral.module.css'
import { formatMonths } from './format-months.ts'

export function JoinPage() {
  const { code = '' } = useParams()
  const { brand_name } = useSite()
  const { status } = useSession()
  const offer = useQuery({
    queryKey: ['referral-offer', code],
    queryFn: ({ signal }) =>
      call(getReferralOffer, { params: { referral_code: code } }, { signal }),
    retry: false,
  })
  const isOpen = offer.isSuccess && status === 'signed-out'
  useEffect(() => {
    if (isOpen) storeReferral(code.toLowerCase())
  }, [code, isOpen])
  return (
    <div className={styles.page}>
      <h1 className={styles.title}>A friend invites you to {brand_name}</h1>
      {offer.isPending || status === 'loading' ? (
        <Skeleton height="12rem" />
      ) : offer.error && !isUnknown(offer.error) ? (
        <ErrorState
          title="Failed to load the link"
          message={errorText(offer.error)}
          busy={offer.isFetching}
          onRetry={() => void offer.refetch()}
        />
      ) : (
        <Card>
          <div className={styles.offer}>
            {status === 'signed-in' ? (
              <SignedIn />
            ) : offer.data ? (
              <Offer months={offer.data.months} />
            ) : (
              <InvalidLink />
            )}
          </div>
        </Card>
      )}
    </div>
  )
}

const isUnknown = (error: Error) =>
  error instanceof ApiError && ['referral_link_not_found', 'invalid_input'].includes(error.code)

function Offer({ months }: { months: number }) {
  return (
    <>
      <p>
        Create an account and become a Premium member. Then you and your friend both get{' '}
        <strong>{formatMonths(months)} of Premium</strong> for free.
      </p>
      <p className={styles.note}>
        Listening is free to start. Nothing is charged before you subscribe.
      </p>
      <NewcomerActions />
    </>
  )
}

function NewcomerActions() {
  return (
    <div className={styles.actions}>
      <ButtonLink to="/auth?create" variant="primary">
        Create Account
      </ButtonLink>
      <ButtonLink to="/">Look around</ButtonLink>
    </div>
  )
}

function SignedIn() {
  return (
    <>
      <p>You already have an account. This link is for new members.</p>
      <div className={styles.actions}>
        <ButtonLink to="/browse" variant="primary">
          Browse
        </ButtonLink>
      </div>
    </>
  )
}

function InvalidLink() {
  return (
    <>
      <p>This link is no longer valid. You can still create an account.</p>
      <NewcomerActions />
    </>
  )
}
