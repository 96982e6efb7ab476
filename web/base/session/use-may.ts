// Whether the role of the signed-in user reaches a level, to show only what they may use. The server decides on every call.
import { type Access, reaches } from '#contract/access.ts'
import { useSession } from './session.ts'

export function useMay(access: Access): boolean {
  const { user } = useSession()
  return access === 'anyone' || (user !== undefined && reaches(user.role, access))
}
