// Allows one free trial per person and card (decision 94). The account and the address are known when the trial starts.
// Only Stripe knows the card, so a trial with a used card is canceled shortly after it starts, before anything is
// charged.
import { createHash } from 'node:crypto'
import type { Stripe } from 'stripe'
import type { Database, Handle, Transaction } from '../../platform/db/database.ts'
import type { Actor } from '../../platform/operations/context.ts'
import type { BillingFact } from './stripe-event.ts'

type Mark = ['account' | 'email' | 'card', string]

const hashOf = ([kind, value]: Mark) =>
  createHash('sha256').update(`${kind}:${value.toLowerCase()}`).digest('hex')

const marksOf = ({ user_id, email }: Pick<Actor, 'user_id' | 'email'>): Mark[] => [
  ['account', user_id],
  ['email', email],
]

/** Whether this account or this address has had a trial before. */
export async function hasHadTrial(
  handle: Handle,
  person: Pick<Actor, 'user_id' | 'email'>,
): Promise<boolean> {
  return (await readTrials(handle, marksOf(person))).length > 0
}

async function readTrials(handle: Handle, marks: Mark[]): Promise<{ subscription_id: string }[]> {
  return handle.query
    .selectFrom('used_trials')
    .select('subscription_id')
    .where('hash', 'in', marks.map(hashOf))
    .execute()
}

/** Records that the account and the address have had a trial, and enqueues the check of the card. */
export async function recordTrial(
  trx: Transaction,
  fact: BillingFact,
  userId: string,
): Promise<void> {
  if (fact.kind !== 'subscription' || fact.trial_ends_at === null) return
  const person = await trx.query
    .selectFrom('profiles')
    .select(['id as user_id', 'email'])
    .where('id', '=', userId)
    .executeTakeFirst()
  if (!person) return
  const isNew = await saveMarks(trx, fact.subscription_id, marksOf(person))
  if (!isNew && fact.step !== 'created') return
  await trx.query
    .insertInto('stripe_tasks')
    .values({ subscription_id: fact.subscription_id, task: 'check_trial' })
    .onConflict((conflict) => conflict.columns(['subscription_id', 'task']).doNothing())
    .execute()
}

/** Stores hashes of the account, address or card of a trial. Returns false if all of them were already stored. */
async function saveMarks(handle: Handle, subscription_id: string, marks: Mark[]): Promise<boolean> {
  const saved = await handle.query
    .insertInto('used_trials')
    .values(marks.map((mark) => ({ kind: mark[0], hash: hashOf(mark), subscription_id })))
    .onConflict((conflict) => conflict.columns(['kind', 'hash']).doNothing())
    .returning('kind')
    .execute()
  return saved.length > 0
}

/** Whether the person or the card has had a trial before this one. */
export async function isSecondTrial(
  { db, client }: { db: Database; client: Stripe },
  id: string,
): Promise<boolean> {
  const row = await db.query
    .selectFrom('stripe_subscriptions as b')
    .innerJoin('profiles as p', 'p.id', 'b.user_id')
    .select(['b.status', 'b.bought_here', 'p.id as user_id', 'p.email'])
    .where('b.id', '=', id)
    .executeTakeFirst()
  if (!row) return false
  const marks = marksOf(row)
  const fingerprint = await readFingerprint(client, id)
  if (fingerprint !== null) {
    await saveMarks(db, id, [['card', fingerprint]])
    marks.push(['card', fingerprint])
  }
  // A trial that the owner created in Stripe is recorded, but not canceled.
  if (!row.bought_here || row.status !== 'trialing') return false
  const trials = await readTrials(db, marks)
  return trials.some(({ subscription_id }) => subscription_id !== id)
}

/**
 * Returns the card's fingerprint, which is the same for every use of a card in one Stripe account. Null if there is no
 * card.
 */
export async function readFingerprint(client: Stripe, id: string): Promise<string | null> {
  const { default_payment_method: method } = await client.subscriptions.retrieve(id, {
    expand: ['default_payment_method'],
  })
  return typeof method === 'string' ? null : (method?.card?.fingerprint ?? null)
}
