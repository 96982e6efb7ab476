// Returns whether the user's role has a permission level, so that screens show only what the user may use. The server
// checks every request.
import { type Access, grantsAccess } from '#contract/access.ts'
import { useSession } from './session.ts'

export function useMay(access: Access): boolean {
  const { user } = useSession()
  return access === 'anyone' || (user !== undefined && grantsAccess(user.role, access))
}
