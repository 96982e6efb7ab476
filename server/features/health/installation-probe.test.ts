import { expect, test } from 'vitest'
import { createSecretBox } from '../../platform/security/secret-box.ts'
import { openAnswer, sealProbe } from './installation-probe.ts'

const box = createSecretBox(['s'.repeat(40)])
const answerTo = (nonce: string) =>
  box.seal(JSON.stringify({ nonce, peer: '', sender: '', host: '', forwardedFor: '' }))

test('accepts only the answer to its own probe', () => {
  const { nonce } = sealProbe(box)
  const recorded = answerTo(sealProbe(box).nonce)
  expect(openAnswer(box, nonce, answerTo(nonce))).not.toBeNull()
  expect(openAnswer(box, nonce, recorded)).toBeNull()
})

test('treats a missing answer, an invalid one, and one encrypted with another SECRET as another service', () => {
  const { nonce, sealed } = sealProbe(box)
  const other = createSecretBox(['o'.repeat(40)])
  expect(openAnswer(other, nonce, answerTo(nonce))).toBeNull()
  expect(openAnswer(box, nonce, null)).toBeNull()
  expect(openAnswer(box, nonce, sealed)).toBeNull()
})
