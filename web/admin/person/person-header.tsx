// Header of a person's page: name, badges, main facts and actions.
import { IconCopy, IconDots } from '#web/base/ui/icons/icons.ts'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import { dismissDeletionRequest, type Person } from '#contract/admin/admin-people.ts'
import { call } from '../../base/api/api.ts'
import { copyText } from '../../base/browser/copy-text.ts'
import { useSession } from '../../base/session/session.ts'
import { Avatar } from '../../base/ui/display/avatar.tsx'
import { Badge } from '../../base/ui/display/badge.tsx'
import { Button } from '../../base/ui/controls/button.tsx'
import { IconButton } from '../../base/ui/controls/icon-button.tsx'
import { formatDay, formatMoment, formatShortMoment } from '../shared/format/format-moment.ts'
import { useAdminMutation } from '../shared/use-admin-mutation.ts'
import { NameDialog } from './name-dialog.tsx'
import { PersonConfirm } from './person-confirm.tsx'
import styles from './person-header.module.css'
import { PersonMail } from './person-mail.tsx'
import { PersonMenu } from './person-menu.tsx'
import type { PersonQuestion } from '../people/person-question.ts'
import { RoleMenu } from '../people/role-and-plan.tsx'
import layout from '../../base/ui/layout/layout.module.css'

export interface PersonHeaderProps {
  person: Person
  question: PersonQuestion | null
  onAsk: (question: PersonQuestion | null) => void
}

export function PersonHeader({ person, question, onAsk }: PersonHeaderProps) {
  const isSelf = useSession().user?.id === person.id
  const navigate = useNavigate()
  const [isNaming, setIsNaming] = useState(false)
  const name = person.display_name || person.email
  return (
    <header className={styles.header}>
      <Avatar url={person.avatar_url} name={name} size={64} />
      <div className={layout.shrink}>
        <h1 className={styles.name} dir="auto">
          {name}
        </h1>
        <p className={styles.line}>
          <a href={`mailto:${person.email}`}>{person.email}</a>
          <PersonBadges person={person} isSelf={isSelf} />
        </p>
      </div>
      <PersonMenu
        user={person}
        isSelf={isSelf}
        hasTwoFactor={person.two_factor_enabled}
        onEditName={() => setIsNaming(true)}
        onAsk={onAsk}
        trigger={<Button icon={<IconDots />}>Actions</Button>}
      />
      <dl className={styles.facts}>
        <div>
          <dt>Role</dt>
          <dd>
            <RoleMenu user={person} isSelf={isSelf} onAsk={onAsk} />
          </dd>
        </div>
        <div>
          <dt>Joined</dt>
          <dd>
            <time dateTime={person.created_at}>{formatDay(person.created_at)}</time>
          </dd>
        </div>
        <div>
          <dt>Last seen</dt>
          <dd>
            {person.last_seen_at ? (
              <time dateTime={person.last_seen_at} title={formatMoment(person.last_seen_at)}>
                {formatShortMoment(person.last_seen_at)}
              </time>
            ) : (
              'Never'
            )}
          </dd>
        </div>
        <div>
          <dt>User ID</dt>
          <dd className={styles.id}>
            <code>{person.id}</code>
            <CopyId id={person.id} />
          </dd>
        </div>
      </dl>
      {person.deletion_requested_at && (
        <DeletionRequest
          id={person.id}
          requestedAt={person.deletion_requested_at}
          onDelete={isSelf ? undefined : () => onAsk({ kind: 'delete' })}
        />
      )}
      <PersonMail person={person} />
      <NameDialog user={person} open={isNaming} onClose={() => setIsNaming(false)} />
      <PersonConfirm
        user={person}
        question={question}
        onClose={() => onAsk(null)}
        onDeleted={() => void navigate('/admin/users', { replace: true })}
      />
    </header>
  )
}

function PersonBadges({ person, isSelf }: { person: Person; isSelf: boolean }) {
  return (
    <>
      {isSelf && <Badge>You</Badge>}
      {!person.email_verified && <Badge tone="warning">Email not confirmed</Badge>}
      {person.mail_refusal && (
        <Badge tone="danger">
          {person.mail_refusal.is_suspended ? 'Announcements suspended' : 'Email rejected'}
        </Badge>
      )}
      {person.two_factor_enabled && <Badge tone="success">Two-factor on</Badge>}
      {person.banned_at && <Badge tone="danger">Banned since {formatDay(person.banned_at)}</Badge>}
    </>
  )
}

function CopyId({ id }: { id: string }) {
  const copying = useAdminMutation({
    run: () => copyText(id),
    refresh: [],
    done: 'User ID copied',
    failed: 'Failed to copy the user ID',
  })
  return (
    <IconButton
      size="small"
      label="Copy user ID"
      busy={copying.isPending}
      onClick={() => copying.mutate()}
    >
      <IconCopy />
    </IconButton>
  )
}

interface DeletionRequestProps {
  id: string
  requestedAt: string
  onDelete: (() => void) | undefined
}

function DeletionRequest({ id, requestedAt, onDelete }: DeletionRequestProps) {
  const dismissing = useAdminMutation({
    run: () => call(dismissDeletionRequest, { params: { id } }),
    refresh: ['users'],
    done: 'Deletion request withdrawn',
    failed: 'Failed to withdraw the request',
  })
  return (
    <div className={styles.request} role="note">
      <span>
        Requested account deletion on <b>{formatDay(requestedAt)}</b>.
      </span>
      <span className={styles.buttons}>
        <Button size="small" busy={dismissing.isPending} onClick={() => dismissing.mutate()}>
          Withdraw Request
        </Button>
        {onDelete && (
          <Button size="small" variant="danger" onClick={onDelete}>
            Delete Account
          </Button>
        )}
      </span>
    </div>
  )
}
