// One row of the user list: name, role, plan and actions.
import { useState } from 'react'
import type { AdminUser } from '#contract/admin/admin-users.ts'
import { useSession } from '../../base/session/session.ts'
import { Badge } from '../../base/ui/display/badge.tsx'
import { RowCheckbox } from '../shared/lists/row-checkboxes.tsx'
import { formatDay } from '../shared/format/format-moment.ts'
import { PersonLink } from '../shared/person-link.tsx'
import { NameDialog } from '../person/name-dialog.tsx'
import { PersonConfirm } from '../person/person-confirm.tsx'
import { PersonMenu } from '../person/person-menu.tsx'
import type { PersonQuestion } from '../people/person-question.ts'
import { PlanMenu, RoleMenu } from '../people/role-and-plan.tsx'
import { StatusBadge } from '../shared/lists/status-badge.tsx'
import type { RowSelection } from '../shared/lists/use-selection.ts'
import styles from './user-row.module.css'
import textStyles from '../../base/ui/layout/text.module.css'

export function UserRow({ user, selection }: { user: AdminUser; selection: RowSelection }) {
  const isSelf = useSession().user?.id === user.id
  const [question, setQuestion] = useState<PersonQuestion | null>(null)
  const [isNaming, setIsNaming] = useState(false)
  return (
    <tr aria-selected={selection.isChosen(user.id)}>
      <RowCheckbox name={user.email} id={user.id} selection={selection} />
      <th scope="row" className={styles.email}>
        <span className={styles.words}>
          <PersonLink id={user.id} email={user.email} name={user.display_name} show="email" />
          {isSelf && <Badge>You</Badge>}
          {user.deletion_requested_at && (
            <Badge tone="danger">Deletion requested {formatDay(user.deletion_requested_at)}</Badge>
          )}
        </span>
      </th>
      <td className={styles.name} data-label="Name" data-wide>
        {user.display_name ? (
          <bdi>{user.display_name}</bdi>
        ) : (
          <span className={textStyles.faint}>No name</span>
        )}
      </td>
      <td data-label="Role">
        <RoleMenu user={user} isSelf={isSelf} onAsk={setQuestion} />
      </td>
      <td data-label="Subscription" className={styles.subscription}>
        <PlanMenu user={user} onAsk={setQuestion} />
        <StatusBadge status={user.subscription_status} />
      </td>
      <td data-label="Joined" data-wide>
        <time dateTime={user.created_at}>{formatDay(user.created_at)}</time>
      </td>
      <td data-corner>
        <PersonMenu
          user={user}
          isSelf={isSelf}
          onEditName={() => setIsNaming(true)}
          onAsk={setQuestion}
        />
        <NameDialog user={user} open={isNaming} onClose={() => setIsNaming(false)} />
        <PersonConfirm user={user} question={question} onClose={() => setQuestion(null)} />
      </td>
    </tr>
  )
}
