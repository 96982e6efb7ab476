import { Validator } from '@seriousme/openapi-schema-validator'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { errors } from '#contract/errors.ts'
import { scopeFor } from '#contract/token-scopes.ts'
import { findContractEndpoints } from '../../../testing/contract-endpoints.ts'
import { createTestApp, type TestApp } from '../../../testing/test-app.ts'
import type { ApiDescription } from './openapi.ts'
import { codesOf, templateOf } from './openapi-operation.ts'

let app: TestApp
let api: ApiDescription

beforeAll(async () => {
  app = await createTestApp({ brandName: 'Nocturne', publicUrl: 'https://music.test' })
  const answer = await app.nobody.send('GET', '/api/openapi.json')
  api = answer.body as ApiDescription
})
afterAll(() => app.close())

test('is a valid OpenAPI 3.1 document', async () => {
  const result = await new Validator().validate(structuredClone(api))
  expect(result).toEqual({ valid: true })
  expect(api.openapi).toBe('3.1.1')
  expect(api.info).toMatchObject({ title: 'Nocturne API' })
  const names = Object.values(api.paths).flatMap((item) =>
    Object.values(item).map(({ operationId }) => operationId),
  )
  expect(new Set(names).size).toBe(names.length)
})

test('describes exactly the operations of the contract', async () => {
  const endpoints = await findContractEndpoints()
  const described = Object.entries(api.paths).flatMap(([path, item]) =>
    Object.keys(item).map((method) => `${method.toUpperCase()} ${path}`),
  )
  expect(described.toSorted()).toEqual(
    endpoints.map(({ endpoint }) => `${endpoint.method} ${templateOf(endpoint.path)}`).toSorted(),
  )
  for (const { endpoint } of endpoints) {
    const operation = api.paths[templateOf(endpoint.path)]?.[endpoint.method.toLowerCase()]
    const inPath = operation?.parameters.filter((parameter) => parameter.in === 'path') ?? []
    const inTemplate = [...endpoint.path.matchAll(/:(\w+)/g)].map(([, name]) => name ?? '')
    expect(inPath.map(({ name }) => name).toSorted()).toEqual(inTemplate.toSorted())
    const scope = scopeFor(endpoint)
    const secured = [{ session: [] }, ...(scope ? [{ token: [scope] }] : [])]
    expect(operation?.security).toEqual(endpoint.access === 'anyone' ? [] : secured)
    for (const code of codesOf(endpoint)) {
      const response = operation?.responses[String(errors[code][0])]
      expect(response?.content?.['application/json']?.examples).toHaveProperty(code)
    }
  }
})

test('describes the sign-in and the media type of each body', () => {
  expect(api.components).toMatchObject({
    securitySchemes: { session: { in: 'cookie', name: '__Host-velour.session_token' } },
  })
  const limit = api.paths['/api/tracks']?.get?.parameters.find(({ name }) => name === 'limit')
  expect(limit).toMatchObject({
    in: 'query',
    required: false,
    schema: { default: 50, maximum: 200 },
  })
  const billing = api.paths['/api/admin-billing']?.post?.requestBody?.content['application/json']
  expect(JSON.stringify(billing)).toContain('"tier":{"type":"string","enum":["free","monthly"')
  expect(api.paths['/api/uploads/{id}']?.put?.requestBody?.content).toHaveProperty([
    'application/octet-stream',
  ])
  expect(Object.keys(api.paths['/api/tracks/{id}/stream']?.get?.responses ?? {})).toContain('206')
})

test('serves the page and its files from this origin under the script policy', async () => {
  const page = await app.nobody.send('GET', '/api/docs')
  expect(page.status).toBe(200)
  expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8')
  expect(page.headers.get('content-security-policy')).toContain("script-src 'self'")
  const html = String(page.body)
  expect(html).not.toMatch(/<script(?![^>]*src=)|\sstyle=|https?:/)
  const addresses = [...html.matchAll(/(?:src|href)="(\/[^"]+)"/g)].map(
    ([, address]) => address ?? '',
  )
  expect(addresses).toHaveLength(4)
  for (const address of addresses) {
    expect((await app.nobody.send('GET', address)).status).toBe(200)
  }
})
