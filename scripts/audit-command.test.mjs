import { expect, test } from 'vitest'
import { evaluateAudit } from './audit-command.mjs'

const counted = (counts, vulnerabilities = {}) => ({
  metadata: { vulnerabilities: { low: 3, moderate: 1, high: 0, critical: 0, ...counts } },
  vulnerabilities,
})

test('fails and names the packages with serious vulnerabilities', () => {
  const found = counted({ critical: 1 }, { a: { severity: 'critical' }, b: { severity: 'low' } })
  expect(evaluateAudit(found)).toEqual({
    exitCode: 1,
    summary: 'known serious vulnerabilities in: a',
  })
  expect(evaluateAudit(counted({}))).toMatchObject({ exitCode: 0 })
})

test('returns exit code 2 when the registry gives no result', () => {
  const refused = { message: '405 Method Not Allowed', error: { summary: '' } }
  for (const response of [refused, { error: { summary: 'offline' } }, {}, null]) {
    expect(evaluateAudit(response)).toMatchObject({
      exitCode: 2,
      summary: expect.stringContaining('NOT CHECKED'),
    })
  }
})
