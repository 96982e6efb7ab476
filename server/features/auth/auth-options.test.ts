import { betterAuth } from 'better-auth'
import Fastify from 'fastify'
import { expect, test } from 'vitest'
import * as contract from '#contract/auth.ts'
import type { Endpoint } from '#contract/endpoint.ts'
import { betterAuthOptions } from './auth-options.ts'
import { testSecret, useAuthTestSite } from '../../testing/auth-test-app.ts'

const site = useAuthTestSite()

function ownBetterAuth() {
  return betterAuth(
    betterAuthOptions({
      config: {
        publicUrl: 'http://127.0.0.1:3000',
        requireEmailVerification: false,
      },
      branding: () => ({ brand_name: 'Velour' }),
      secret: testSecret,
      db: site.database.db,
      log: Fastify({ logger: { level: 'silent' } }).log,
      sendConfirmations: () => false,
      sendMail: async () => {},
      onConfirmed: async () => {},
      onPasswordReset: async () => {},
    }),
  )
}

test('our tables have every column that the installed version of better-auth writes', async () => {
  const { explicitSchemaCheck } = await ownBetterAuth().$context
  expect(explicitSchemaCheck).toBeDefined()
  await explicitSchemaCheck?.()
})

test('only operations of the contract are reachable', async () => {
  const answered = new Set(
    Object.values<unknown>(contract)
      .filter((value): value is Endpoint => typeof value === 'object' && value !== null)
      .map(({ method, path }) => `${method} ${path}`),
  )
  const cookie = await signedIn()
  const hidden: string[] = []
  for (const operation of Object.values(ownBetterAuth().api)) {
    const { path, options } = operation as { path?: string; options: { method: string | string[] } }
    for (const method of [options.method].flat()) {
      if (!path || answered.has(`${method} /api/auth${path}`)) continue
      hidden.push(path)
      const url = `/api/auth${path.replace(/:\w+/g, 'something')}`
      const request = {
        method: method as 'GET',
        url,
        cookie,
        ...(method === 'GET' ? {} : { body: {} }),
      }
      const { status } = await site.send(request)
      expect({ method, url, isHidden: [404, 405].includes(status) }).toEqual({
        method,
        url,
        isHidden: true,
      })
    }
  }
  expect(hidden).toEqual(expect.arrayContaining(['/update-user', '/change-email', '/delete-user']))
})

async function signedIn(): Promise<string> {
  await site.addMember('curious@example.com')
  return site.signIn('curious@example.com')
}
