// Writers (see writer.ts) that act as the owner: one changes prices, one the order of categories. Every change must
// have an audit entry.
import { reorderCategories } from '#contract/admin/admin-categories.ts'
import { createRegister, type Register } from './register.ts'
import type { WriterWorld, SavedSettings, State, Writer } from './writer.ts'

const getPrice = ({ pricing_monthly_cents }: SavedSettings) => pricing_monthly_cents

export function createSettingsWriter(world: WriterWorld, settings: SavedSettings): Writer {
  const register = createRegister('the monthly price', getPrice(settings))
  return {
    name: 'settings',
    everyMs: 250,
    async act() {
      const pricing_monthly_cents = 1 + Math.floor(world.chance.below(100_000))
      const body = {
        action: 'update',
        settings: { ...settings, updated_at: undefined, pricing_monthly_cents },
      }
      await register.write(pricing_monthly_cents, () =>
        world.owner.write('POST', '/api/admin-settings', { body }),
      )
    },
    async audit({ db, owner }) {
      const row = await db.query.selectFrom('settings').selectAll().executeTakeFirstOrThrow()
      const { body } = await owner.send('GET', '/api/admin-settings')
      const entries = await auditEntries(db, 'settings')
      const last = entries.at(-1) as { pricing_monthly_cents?: number } | undefined
      return [
        register.compare(row.pricing_monthly_cents),
        body['pricing_monthly_cents'] === row.pricing_monthly_cents
          ? null
          : `the price is shown as ${String(body['pricing_monthly_cents'])}, and is ${row.pricing_monthly_cents}`,
        !last || last.pricing_monthly_cents === row.pricing_monthly_cents
          ? null
          : `the last audited price is ${last.pricing_monthly_cents}, the price ${row.pricing_monthly_cents}`,
        // Subtract the entry of the settings that were saved before the load started.
        compareCount('settings', register, entries.length - 1),
      ].filter((problem) => problem !== null)
    },
    acknowledged: () => register.counts().acknowledged,
  }
}

export function createCategoryWriter(world: WriterWorld): Writer {
  const register = createRegister('the order of the categories', world.categoryIds)
  return {
    name: 'categories',
    everyMs: 250,
    async act() {
      const ids = world.chance.shuffle(world.categoryIds)
      await register.write(ids, () =>
        world.owner.write(reorderCategories.method, reorderCategories.path, { body: { ids } }),
      )
    },
    async audit({ db, owner }) {
      const rows = await db.query
        .selectFrom('category_metadata')
        .select('id')
        .orderBy('sort_order')
        .execute()
      const stored = rows.map(({ id }) => id)
      const { body } = await owner.send('GET', '/api/admin-categories')
      const shown = ((body['data'] ?? []) as { id: string }[]).map(({ id }) => id)
      const entries = await auditEntries(db, 'category')
      const orders = entries.filter((after) => 'order' in after)
      return [
        register.compare(stored),
        shown.join() === stored.join()
          ? null
          : `the categories are shown as ${shown.join()}, and are ${stored.join()}`,
        compareCount('orders of categories', register, orders.length),
      ].filter((problem) => problem !== null)
    },
    acknowledged: () => register.counts().acknowledged,
  }
}

/** Returns the new values of all audited changes, oldest first. */
async function auditEntries(
  db: State['db'],
  entity: 'settings' | 'category',
): Promise<Record<string, unknown>[]> {
  const rows = await db.query
    .selectFrom('audit_log')
    .select('after')
    .where('entity', '=', entity)
    .where('action', '=', 'update')
    .orderBy('created_at')
    .execute()
  return rows.map(({ after }) => after as Record<string, unknown>)
}

/** Checks that every acknowledged change has an audit entry. Changes without a response may have one. */
function compareCount<T>(what: string, register: Register<T>, found: number): string | null {
  const { acknowledged, unknown } = register.counts()
  if (found >= acknowledged && found <= acknowledged + unknown) return null
  return `${found} audited changes of the ${what}: ${acknowledged} were acknowledged, and the outcome of ${unknown} more is unknown`
}
