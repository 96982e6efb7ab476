// Mails to the person that fail or were marked as spam: why, since when, and a button to try the address again.
import type { Person } from '#contract/admin/admin-people.ts'
import { resumeAddress } from '#contract/announcements.ts'
import { call } from '../../base/api/api.ts'
import { formatCount } from '../../base/format/format-duration.ts'
import { Button } from '../../base/ui/controls/button.tsx'
import { formatMoment } from '../shared/format/format-moment.ts'
import { useAdminMutation } from '../shared/use-admin-mutation.ts'
import styles from './person-header.module.css'

interface PersonMailProps {
  person: Pick<Person, 'id' | 'mail_refusal' | 'mail_complaint_at'>
}

export function PersonMail({ person }: PersonMailProps) {
  const { id, mail_refusal, mail_complaint_at } = person
  return (
    <>
      {mail_refusal && <Refusal id={id} refusal={mail_refusal} />}
      {mail_complaint_at && (
        <div className={styles.request} role="note">
          <span>
            Marked a mail as spam on <b>{formatMoment(mail_complaint_at)}</b>. This ended the mails
            with news; only this person can choose them again.
          </span>
        </div>
      )}
    </>
  )
}

interface RefusalProps {
  id: string
  refusal: NonNullable<Person['mail_refusal']>
}

function Refusal({ id, refusal }: RefusalProps) {
  const { source, refusals, refused_at, reason, is_suspended } = refusal
  const resuming = useAdminMutation({
    run: () => call(resumeAddress, { params: { id } }),
    refresh: ['users', 'announcements'],
    done: 'Mails are sent to this address again',
    failed: 'Failed to clear the address',
  })
  const mails = formatCount(refusals, 'mail', 'mails')
  return (
    <div className={styles.request} role="note">
      <span>
        {source === 'bounce' ? `${mails} came back` : `The mail server refused ${mails}`}, last on{' '}
        <b>{formatMoment(refused_at)}</b>: “{reason}”.
        {is_suspended && ' No more news is sent there.'}
      </span>
      <span className={styles.buttons}>
        <Button size="small" busy={resuming.isPending} onClick={() => resuming.mutate()}>
          {is_suspended ? 'Send Again' : 'Clear'}
        </Button>
      </span>
    </div>
  )
}
