// Access levels of operations and screens, in ascending order. A role may use its own level and all levels before it.

export const accessLevels = ['anyone', 'member', 'creator', 'editor', 'admin'] as const

/**
 * `member`: any signed-in person who is not banned. `creator`: the back office, limited to their own items
 * (see `owned` in endpoint.ts). `editor`: the entire catalogue. Plan rights are checked inside the operation, not here.
 */
export type Access = (typeof accessLevels)[number]

export type StaffAccess = 'creator' | 'editor' | 'admin'

/** Whether this is one of the back-office levels. */
export function isStaffAccess(access: Access): access is StaffAccess {
  return access !== 'anyone' && access !== 'member'
}

/** Whether a role grants this access level. Unknown roles, such as those of a newer server, count as `member`. */
export function grantsAccess(role: string, access: Access): boolean {
  const level = accessLevels.findIndex((name) => name === role)
  return Math.max(level, accessLevels.indexOf('member')) >= accessLevels.indexOf(access)
}

/** Whether this role may open the back office. */
export function isStaff(role: string): boolean {
  return grantsAccess(role, 'creator')
}
