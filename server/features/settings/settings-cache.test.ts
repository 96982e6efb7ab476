import { sql } from 'kysely'
import pino from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { notify } from '../../platform/events/event-bus.ts'
import { createTestApp, type TestApp } from '../../testing/test-app.ts'
import { createSettingsCache } from './settings-cache.ts'

let app: TestApp
beforeAll(async () => {
  app = await createTestApp()
})
afterAll(() => app.close())

test('an instance that cannot read the settings after a change tries again', async () => {
  const { db, bus } = app.services
  const warnings: string[] = []
  const log = pino({ level: 'warn' }, { write: (line: string) => void warnings.push(line) })
  const cache = await createSettingsCache(db, bus, log)
  const { rows } = await sql<{ role: string }>`select current_user as role`.execute(db.query)
  const role = rows[0]!.role

  await app.asOwner(`revoke select on settings from ${role}`)
  await app.asOwner('update settings set maintenance_mode = true')
  await notify(db, 'settings')
  await expect.poll(() => warnings.length).toBeGreaterThan(0)
  await expect(cache.reload()).rejects.toThrow('permission denied')
  expect(cache.current().maintenance_mode).toBe(false)

  await app.asOwner(`grant select on settings to ${role}`)
  await expect.poll(() => cache.current().maintenance_mode).toBe(true)
  // The cache of the app under test retries at its own times.
  await expect.poll(() => app.services.settings.current().maintenance_mode).toBe(true)
  cache.close()
})

test('a value saved before reload() is returned after it, even with concurrent calls', async () => {
  const { db, settings } = app.services
  const save = (isOn: boolean) =>
    db.query.updateTable('settings').set({ maintenance_mode: isOn }).execute()
  for (const isOn of [false, true, false]) {
    const earlier = settings.reload()
    await save(isOn)
    await Promise.all([settings.reload(), settings.reload()])
    expect(settings.current().maintenance_mode).toBe(isOn)
    await earlier
  }
})
