// A service refuses to start if an applied migration was changed later, even in a comment. So released files must not
// change. A new migration is added to the list with its release (docs/release-policy.md).
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import released from './released-migrations.json' with { type: 'json' }

test.each(Object.entries(released))('%s is unchanged since it was released', (file, hash) => {
  const text = readFileSync(join(import.meta.dirname, 'migrations', file))
  expect(createHash('sha256').update(text).digest('hex')).toBe(hash)
})
