// A person's name, linked to their page in the back office.
import { ScreenLink } from '../../base/navigation/screen-link.tsx'
import styles from './person-link.module.css'

export interface PersonLinkProps {
  id: string
  email: string
  /** The person's name. If there is none, the email address is shown. */
  name?: string | null
  /** Whether to show the name or the email address. The tooltip shows the other. */
  show?: 'name' | 'email'
}

export function PersonLink({ id, email, name, show = 'name' }: PersonLinkProps) {
  const label = (show === 'name' && name) || email
  const tooltip = label === email ? name : email
  return (
    <ScreenLink
      to={personPath(id)}
      className={styles.link}
      data-tooltip={tooltip || undefined}
      dir="auto"
    >
      {label}
    </ScreenLink>
  )
}

function personPath(id: string): string {
  return `/admin/users/${id}`
}
