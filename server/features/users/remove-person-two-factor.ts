// Disables two-factor authentication of a person who lost both the phone and the recovery codes.
import type * as contract from '#contract/admin/admin-people.ts'
import type { ParsedInput } from '#contract/endpoint.ts'
import { writeAudit } from '../../platform/audit/write-audit.ts'
import type { Auth } from '../auth/auth.ts'
import { deleteTwoFactor } from '../auth/remove-two-factor.ts'
import { transaction } from '../../platform/db/database.ts'
import { AppError } from '../../platform/operations/app-error.ts'
import type { MemberContext } from '../../platform/operations/context.ts'
import { lockPerson } from './lock-person.ts'
import { findUser } from './user-query.ts'

export async function removeTwoFactor(
  { auth }: { auth: Pick<Auth, 'mailTwoFactorRemoved'> },
  ctx: MemberContext,
  { params }: ParsedInput<typeof contract.removeTwoFactor>,
): Promise<void> {
  // Admins disable their own two-factor authentication on the profile page, which requires the password.
  if (params.id.toLowerCase() === ctx.actor.user_id) throw new AppError('own_two_factor')
  const email = await transaction(ctx.db, async (trx) => {
    await lockPerson(trx, params.id)
    const user = await findUser(trx, params.id)
    if (!(await deleteTwoFactor(trx, params.id, ctx.now()))) throw new AppError('two_factor_off')
    await writeAudit(ctx, trx, {
      action: 'update',
      entity: 'user',
      entity_id: params.id,
      before: { two_factor: 'on' },
      after: { two_factor: 'off' },
    })
    return user.email
  })
  await auth.mailTwoFactorRemoved(email)
}
