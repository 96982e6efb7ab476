// Invites a list of people. The invitations are stored immediately, and the worker sends their emails at a limited
// rate.
import { sql } from 'kysely'
import type * as contract from '#contract/admin/admin-invitations.ts'
import type { Output, ParsedInput } from '#contract/endpoint.ts'
import { writeAuditEntries } from '../../platform/audit/write-audit.ts'
import { transaction } from '../../platform/db/database.ts'
import type { MemberContext } from '../../platform/operations/context.ts'
import { parseEmail } from '../auth/parse-email.ts'
import { readInvitationList } from './read-invitation-list.ts'
import { invitationEnd } from './send-invitation.ts'

export async function previewInvitations(
  ctx: MemberContext,
  { body }: ParsedInput<typeof contract.previewInvitations>,
): Promise<Output<typeof contract.previewInvitations>> {
  const rows = readInvitationList(body.csv)
  const emails = rows.flatMap(({ email, problem }) => (problem === null ? [email] : []))
  const { rows: known } = await sql<{ email: string; has_account: boolean }>`
    select email, bool_or(has_account) as has_account from (
      select email, true as has_account from profiles where email = any(${emails}::text[])
      union all
      select email, false from invitations where email = any(${emails}::text[])
    ) known group by email`.execute(ctx.db.query)
  const hasAccount = new Map(known.map((row) => [row.email, row.has_account]))
  return {
    rows: rows.map((row) => {
      const found = row.problem === null ? hasAccount.get(row.email) : undefined
      if (found === undefined) return row
      return { ...row, problem: found ? 'has_account' : 'already_invited' }
    }),
  }
}

export async function createInvitations(
  ctx: MemberContext,
  { body }: ParsedInput<typeof contract.createInvitations>,
): Promise<Output<typeof contract.createInvitations>> {
  const { people, role, subscription_tier } = body
  // If an address is in the list twice, use the name in its first row.
  const names = new Map<string, string>()
  for (const { email: typed, display_name = '' } of people) {
    const email = parseEmail(typed)
    if (!names.has(email)) names.set(email, display_name)
  }
  return transaction(ctx.db, async (trx) => {
    // Skip addresses that already have an invitation, even an expired one.
    const { rows } = await sql<{ id: string }>`
      insert into invitations (email, display_name, role, subscription_tier, expires_at, invited_by, created_at)
      select list.email, list.display_name, ${role}, ${subscription_tier}, ${invitationEnd(ctx.now())},
             ${ctx.actor.user_id}, ${ctx.now().toISOString()}
        from unnest(${[...names.keys()]}::text[], ${[...names.values()]}::text[]) as list (email, display_name)
       where not exists (select from profiles p where p.email = list.email)
       order by list.email
      on conflict (email) do nothing
      returning id`.execute(trx.query)
    await writeAuditEntries(
      ctx,
      trx,
      rows.map(({ id }) => ({
        action: 'create',
        entity: 'invitation',
        entity_id: id,
        after: { role, subscription_tier },
      })),
    )
    return { invited: rows.length, skipped: people.length - rows.length }
  })
}
