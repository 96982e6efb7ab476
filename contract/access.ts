// Who may call an operation or open a screen. Each level includes the levels after it.

export const accessLevels = ['anyone', 'member', 'creator', 'editor', 'admin'] as const

/**
 * `member`: any signed-in person who is not banned. `creator`: the back office, limited to what belongs to them (see
 * `owned` of an endpoint). `editor`: the whole catalogue. Plan rights are checked inside the operation, not here.
 */
export type Access = (typeof accessLevels)[number]

export type StaffAccess = 'creator' | 'editor' | 'admin'

/** Whether it is a level of the back office. */
export function isStaffAccess(access: Access): access is StaffAccess {
  return access !== 'anyone' && access !== 'member'
}

/** Whether a person with this role reaches a level. Unknown roles, of a newer server, are those of members. */
export function reaches(role: string, access: Access): boolean {
  const level = accessLevels.findIndex((name) => name === role)
  return Math.max(level, accessLevels.indexOf('member')) >= accessLevels.indexOf(access)
}

/** Whether this role works in the back office. */
export function isStaff(role: string): boolean {
  return reaches(role, 'creator')
}
