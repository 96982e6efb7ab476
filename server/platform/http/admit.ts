// Decides who may call an operation. All access checks are in this file.
import { isStaffAccess, grantsAccess, type StaffAccess } from '#contract/access.ts'
import type { Endpoint } from '#contract/endpoint.ts'
import { getRequiredScope } from '#contract/token-scopes.ts'
import { AppError } from '../operations/app-error.ts'
import type { Actor } from '../operations/context.ts'
import { matchesFields } from './body-fields.ts'

export interface AdmitRules {
  /** Whether maintenance mode is on, during which only admins are admitted. */
  isMaintenance: () => boolean
  /** Whether admins without a second factor are refused. */
  adminsNeedTwoFactor: () => boolean
  /** Whether this session was confirmed in the last 10 minutes. */
  isConfirmed: (sessionId: string) => Promise<boolean>
}

type Rights = Pick<
  Endpoint,
  'method' | 'path' | 'access' | 'audit' | 'tokens' | 'duringMaintenance' | 'needsConfirmation'
>

/** Runs before the input is parsed, so that the errors reveal nothing about the input to a caller without access. */
export async function admit(
  endpoint: Rights,
  actor: Actor | null,
  rules: AdmitRules,
): Promise<void> {
  if (rules.isMaintenance() && !endpoint.duringMaintenance && actor?.role !== 'admin') {
    throw new AppError('maintenance', { headers: { 'retry-after': '60' } })
  }
  if (actor) requireScope(endpoint, actor)
  if (endpoint.access === 'anyone') return
  if (!actor) throw new AppError('unauthenticated')
  if (isStaffAccess(endpoint.access)) {
    requireStaff(actor, endpoint.access, rules.adminsNeedTwoFactor())
  }
  if (endpoint.needsConfirmation === true) await requireConfirmation(actor, rules)
}

/** Runs after the input is parsed, for operations that need a confirmation only for some bodies. */
export async function admitBody(
  { needsConfirmation }: Rights,
  body: unknown,
  actor: Actor | null,
  rules: AdmitRules,
): Promise<void> {
  if (!actor || !needsConfirmation || needsConfirmation === true) return
  if (matchesFields(needsConfirmation, body)) await requireConfirmation(actor, rules)
}

/**
 * Throws unless the caller has this back-office level. Also used by member operations that give staff additional
 * rights.
 */
export function requireStaff(
  actor: Actor,
  access: StaffAccess,
  adminsNeedTwoFactor: boolean,
): void {
  if (!grantsAccess(actor.role, access)) throw new AppError('forbidden')
  if (isSecondFactorMissing(actor, adminsNeedTwoFactor)) {
    throw new AppError('second_factor_required')
  }
}

export function isSecondFactorMissing(
  { role, two_factor_enabled }: Pick<Actor, 'role' | 'two_factor_enabled'>,
  adminsNeedTwoFactor: boolean,
): boolean {
  return role === 'admin' && adminsNeedTwoFactor && !two_factor_enabled
}

/**
 * Refuses a token without the required scope, because a token grants fewer rights than its owner has. Device keys are
 * only accepted in the Subsonic API, so none is seen here.
 */
function requireScope(endpoint: Rights, { credential }: Actor): void {
  if (credential?.kind !== 'access_token') return
  const scope = getRequiredScope(endpoint)
  if (scope === null) throw new AppError('token_refused')
  if (!credential.scopes.includes(scope)) throw new AppError('token_scope', { details: { scope } })
}

async function requireConfirmation(actor: Actor, rules: AdmitRules): Promise<void> {
  if (actor.credential) throw new AppError('token_refused')
  if (!(await rules.isConfirmed(actor.session_id))) throw new AppError('reauthentication_required')
}
