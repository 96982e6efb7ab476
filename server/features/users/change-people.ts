// Changes several people in one transaction, so that all are changed or none. Rows are locked in id order, so that two
// such changes do not deadlock.
import { sql } from 'kysely'
import { bulkLimit, type BulkChange } from '#contract/admin/admin-bulk.ts'
import type * as contract from '#contract/admin/admin-bulk.ts'
import type { Output, ParsedInput } from '#contract/endpoint.ts'
import { getTierStatus } from '#contract/plans.ts'
import { writeAuditEntries } from '../../platform/audit/write-audit.ts'
import { endAllSessionsOf } from '../auth/sessions/session-operations.ts'
import { saveSubscriptionFacts } from '../billing/save-subscription-facts.ts'
import { setPlan } from '../billing/set-plan.ts'
import { enqueueBanPause, changePlanAtStripe } from '../billing/stripe-steering.ts'
import { noStripe } from '../billing/stripe-client.ts'
import { selectSubscriptions } from '../billing/subscription-query.ts'
import { transaction, type Transaction } from '../../platform/db/database.ts'
import { notify } from '../../platform/events/event-bus.ts'
import { AppError } from '../../platform/operations/app-error.ts'
import type { MemberContext } from '../../platform/operations/context.ts'
import {
  toPeopleFilters,
  selectPeople,
  shownRole,
  type PeopleFilters,
} from '../people/people-selection.ts'
import { lockAdmins, requireAnAdmin } from './require-an-admin.ts'

type Body = ParsedInput<typeof contract.changePeople>['body']
type Selection = Body['selection']
type Chosen = Awaited<ReturnType<typeof readPeople>>[number]

export async function changePeople(
  ctx: MemberContext,
  { body }: ParsedInput<typeof contract.changePeople>,
): Promise<Output<typeof contract.changePeople>> {
  return transaction(ctx.db, async (trx) => {
    if (body.change.kind === 'ban' || body.change.kind === 'role') await lockAdmins(trx)
    const ids = await lockSelection(trx, body.selection)
    const before = await readPeople(trx, ids)
    await applyChange(ctx, trx, before, body.change)
    const after = new Map((await readPeople(trx, ids)).map((person) => [person.user_id, person]))
    const changed = before.flatMap((was) => {
      const is = after.get(was.user_id) ?? was
      return JSON.stringify(was) === JSON.stringify(is) ? [] : [{ was, is }]
    })
    const { action, entity } = toAuditEntry(body.change)
    await writeAuditEntries(
      ctx,
      trx,
      changed.map(({ was, is }) => ({
        action,
        entity,
        entity_id: was.user_id,
        before: toAuditFields(was),
        after: { ...toAuditFields(is), ...(body.change.kind === 'note' && { note: 'changed' }) },
      })),
    )
    for (const { was } of changed) await notify(trx, 'sessions', was.user_id)
    return { changed: changed.length }
  })
}

async function lockSelection(trx: Transaction, selection: Selection): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select p.id ${selectPeople(toFilters(selection))}
    order by p.id limit ${bulkLimit + 1} for update of p`.execute(trx.query)
  if (rows.length > bulkLimit) throw new AppError('selection_too_large')
  const expected = 'ids' in selection ? new Set(selection.ids.map(lower)).size : selection.count
  if (rows.length !== expected) throw new AppError('selection_changed')
  return rows.map(({ id }) => id)
}

function toFilters(selection: Selection): PeopleFilters {
  if ('ids' in selection) return { ids: selection.ids }
  return 'users' in selection ? selection.users : toPeopleFilters(selection.subscriptions)
}

const lower = (id: string) => id.toLowerCase()

async function readPeople(trx: Transaction, ids: string[]) {
  return (
    selectSubscriptions(trx)
      .innerJoin('user_roles as r', 'r.user_id', 'p.id')
      // A banned person keeps the stored role. Lifting the ban restores it.
      .select([shownRole.as('role'), 'r.role as stored_role'])
      .where('p.id', 'in', ids)
      .orderBy('p.id')
      .execute()
  )
}

/** Makes the change for all selected people. People who already have the new value are unchanged. */
async function applyChange(
  ctx: MemberContext,
  trx: Transaction,
  people: Chosen[],
  change: BulkChange,
): Promise<void> {
  const ids = people.map(({ user_id }) => user_id)
  switch (change.kind) {
    case 'ban':
    case 'role':
      if (ids.includes(ctx.actor.user_id)) throw new AppError('own_account')
      if (change.kind === 'ban') await ban(ctx, trx, people)
      else
        await trx.query
          .updateTable('user_roles')
          .set({ role: change.role })
          .where('user_id', 'in', ids)
          .where('role', '!=', change.role)
          .execute()
      return requireAnAdmin(trx)
    case 'unban':
      await trx.query
        .updateTable('profiles')
        .set({ banned_at: null, updated_at: ctx.now().toISOString() })
        .where('id', 'in', ids)
        .where('banned_at', 'is not', null)
        .execute()
      return
    case 'plan':
    case 'status':
      return setPlans(ctx, trx, people, change)
    case 'payment_method':
      if (!people.every(({ is_manual }) => is_manual)) throw new AppError('selection_not_manual')
      for (const { user_id, payment_method } of people) {
        if (payment_method === change.payment_method) continue
        await saveSubscriptionFacts(trx, user_id, { payment_method: change.payment_method })
      }
      return
    case 'note':
      for (const { user_id, is_manual, notes } of people) {
        if (notes === (change.note || null)) continue
        await saveSubscriptionFacts(trx, user_id, { notes: change.note || null, is_manual })
      }
  }
}

async function ban(ctx: MemberContext, trx: Transaction, people: Chosen[]): Promise<void> {
  const ids = people.filter(({ role }) => role !== 'banned').map(({ user_id }) => user_id)
  if (ids.length === 0) return
  const now = ctx.now().toISOString()
  await trx.query
    .updateTable('profiles')
    .set({ banned_at: now, updated_at: now })
    .where('id', 'in', ids)
    .execute()
  await enqueueBanPause(trx, ids)
  for (const id of ids) await endAllSessionsOf(trx, id)
}

async function setPlans(
  ctx: MemberContext,
  trx: Transaction,
  people: Chosen[],
  change: Extract<BulkChange, { kind: 'plan' | 'status' }>,
): Promise<void> {
  // Reject plans that Stripe bills, because a change at Stripe cannot be rolled back.
  if (people.some(({ is_billed }) => is_billed)) throw new AppError('selection_billed')
  for (const person of people) {
    const tier = change.kind === 'plan' ? change.tier : person.tier
    const status = change.status ?? getTierStatus(tier)
    if (person.tier === tier && person.status === status) continue
    const plan = { user_id: person.user_id, tier, status }
    const stripeChange = await changePlanAtStripe({ stripe: noStripe }, trx, plan)
    await stripeChange.settle(trx)
    await setPlan(trx, ctx.now(), plan)
  }
}

function toAuditEntry({ kind }: BulkChange) {
  if (kind === 'ban' || kind === 'unban') return { action: kind, entity: 'user' } as const
  return { action: 'update', entity: kind === 'role' ? 'user' : 'subscription' } as const
}

/** Returns the fields that the audit entry stores. Omits the name, the address and the text of a note. */
function toAuditFields(person: Chosen) {
  const { role, stored_role, tier, status, payment_method, is_manual, renewal_date } = person
  const kept = role === 'banned' && { stored_role }
  return { role, ...kept, tier, status, payment_method, is_manual, renewal_date }
}
