import { expect, test } from 'vitest'
import { createSecretBox } from '../../platform/security/secret-box.ts'
import { readProbeResponse, sealProbe } from './installation-probe.ts'

const box = createSecretBox(['s'.repeat(40)])
const sealResponse = (nonce: string) =>
  box.seal(JSON.stringify({ nonce, peer: '', sender: '', host: '', forwardedFor: '' }))

test('accepts only the response to the request that it sent', () => {
  const { nonce } = sealProbe(box)
  const recorded = sealResponse(sealProbe(box).nonce)
  expect(readProbeResponse(box, nonce, sealResponse(nonce))).not.toBeNull()
  expect(readProbeResponse(box, nonce, recorded)).toBeNull()
})

test('a missing or invalid response, or one encrypted with another SECRET, counts as from another service', () => {
  const { nonce, sealed } = sealProbe(box)
  const other = createSecretBox(['o'.repeat(40)])
  expect(readProbeResponse(other, nonce, sealResponse(nonce))).toBeNull()
  expect(readProbeResponse(box, nonce, null)).toBeNull()
  expect(readProbeResponse(box, nonce, sealed)).toBeNull()
})
