import { createConfig, lintFromString } from '@redocly/openapi-core'
import { Validator } from '@seriousme/openapi-schema-validator'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Endpoint } from '#contract/endpoint.ts'
import { errors } from '#contract/errors.ts'
import { getRequiredScope } from '#contract/token-scopes.ts'
import { findContractEndpoints } from '../../../testing/contract-endpoints.ts'
import { createTestApp, type TestApp } from '../../../testing/test-app.ts'
import type { ApiDescription } from './openapi.ts'
import { toPathTemplate } from './openapi-operation.ts'
import { listErrorCodes } from './operation-responses.ts'

let app: TestApp
let api: ApiDescription
let text: string

const operations = await findContractEndpoints()

beforeAll(async () => {
  app = await createTestApp({ brandName: 'Nocturne', publicUrl: 'https://music.test' })
  const answer = await app.nobody.send('GET', '/api/openapi.json')
  api = answer.body as ApiDescription
  text = JSON.stringify(api)
})
afterAll(() => app.close())

const described = (endpoint: Endpoint) =>
  api.paths[toPathTemplate(endpoint.path)]?.[endpoint.method.toLowerCase()]

function resolve<T>(value: T | { $ref: string } | undefined): T | undefined {
  if (typeof value !== 'object' || value === null || !('$ref' in value)) return value as T
  const [, , kind = '', name = ''] = value.$ref.split('/')
  return api.components[kind]?.[name] as T
}

test('is a valid OpenAPI 3.1 document without a finding of the linter', async () => {
  expect(await new Validator().validate(structuredClone(api))).toEqual({ valid: true })
  expect(api.openapi).toBe('3.1.1')
  expect(api['info']).toMatchObject({ title: 'Nocturne API' })
  const config = await createConfig({
    extends: ['recommended-strict'],
    rules: {
      // Disabled, because some older paths are ambiguous. In them, a fixed segment takes precedence over a parameter.
      'no-ambiguous-paths': 'off',
      // Responses may have more fields in a later version, but by default this rule accepts no additional fields.
      'no-invalid-media-type-examples': { severity: 'error', allowAdditionalProperties: true },
    },
  })
  const problems = await lintFromString({ source: text, config })
  expect(
    problems.map(({ ruleId, message, location }) => [ruleId, message, location[0]?.pointer]),
  ).toEqual([])
})

test('describes exactly the operations of the contract, each under its own name', () => {
  const found = Object.entries(api.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, { operationId }]) => `${operationId} ${method} ${path}`),
  )
  expect(found.toSorted()).toEqual(
    operations
      .map(({ name, endpoint: { method, path } }) =>
        [name, method.toLowerCase(), toPathTemplate(path)].join(' '),
      )
      .toSorted(),
  )
})

test.each(operations)(
  '$name: describes the parameters, the access and every error',
  ({ endpoint }) => {
    const operation = described(endpoint)
    const inPath = operation?.parameters.filter((parameter) => parameter.in === 'path') ?? []
    const inTemplate = [...endpoint.path.matchAll(/:(\w+)/g)].map(([, name]) => name ?? '')
    expect(inPath.map(({ name }) => name).toSorted()).toEqual(inTemplate.toSorted())
    const scope = getRequiredScope(endpoint)
    const secured = [{ session: [] }, ...(scope ? [{ token: [scope] }] : [])]
    expect(operation?.security).toEqual(endpoint.access === 'anyone' ? [] : secured)
    for (const code of listErrorCodes(endpoint)) {
      const response = resolve(operation?.responses[String(errors[code][0])])
      expect(response?.content?.['application/json']?.examples).toHaveProperty(code)
    }
    const successes = Object.keys(operation?.responses ?? {}).filter((status) => status < '300')
    expect(successes.includes('201')).toBe(endpoint.creates !== undefined)
    expect(successes.includes('200')).toBe(
      endpoint.creates !== true &&
        (endpoint.output ?? endpoint.produces ?? 'no body') !== 'no body',
    )
  },
)

test('describes every parameter, field, header and tag', () => {
  const missing: string[] = []
  walk(api, (node, at) => {
    // A node without a type only narrows a schema that is described elsewhere.
    if (node['type'] !== 'object') return
    for (const [name, field] of Object.entries(propertiesOf(node))) {
      if (!field.description && !field['$ref']) missing.push(`${at}/${name}`)
    }
  })
  for (const { name, endpoint } of operations) {
    for (const parameter of described(endpoint)?.parameters ?? []) {
      if (!parameter.description) missing.push(`${name} ${parameter.name}`)
    }
  }
  for (const { name, description } of api['tags'] as { name: string; description?: string }[]) {
    if (!description) missing.push(`tag ${name}`)
  }
  for (const [name, header] of Object.entries(api.components['headers'] ?? {})) {
    if (!(header as { description?: string }).description) missing.push(`header ${name}`)
  }
  expect(missing).toEqual([])
})

test('describes each shape once', () => {
  const places = new Map<string, string[]>()
  walk({ paths: api.paths, schemas: api.components['schemas'] }, (node, at) => {
    const properties = propertiesOf(node)
    if (node['type'] !== 'object' || Object.keys(properties).length < 4) return
    // The same properties in a request are another shape, because requests accept no unknown fields.
    const shape = JSON.stringify([properties, node['additionalProperties']])
    places.set(shape, [...(places.get(shape) ?? []), at])
  })
  expect([...places.values()].filter((each) => each.length > 1)).toEqual([])
})

test('timestamps have the format date-time', () => {
  const others: string[] = []
  walk(api, (node, at) => {
    for (const [name, field] of Object.entries(propertiesOf(node))) {
      if (
        !/(?:_at|At)$/.test(name) ||
        // Excluded, because `left_at` is not a time: a histogram of the positions at which plays end.
        name === 'left_at' ||
        /"(?:date|date-time)"|DayOrMoment/.test(JSON.stringify(field))
      )
        continue
      others.push(`${at}/${name}`)
    }
  })
  expect(others).toEqual([])
})

test('names the variants of unions with a discriminator', () => {
  expect(text).toContain('"discriminator":{"propertyName":"action"')
  walk(api, (node, at) => {
    const { discriminator, oneOf = [] } = node as {
      discriminator?: { propertyName: string; mapping: Record<string, string> }
      oneOf?: { $ref?: string }[]
    }
    if (!discriminator) return
    const targets = new Set(Object.values(discriminator.mapping))
    expect(targets, at).toEqual(new Set(oneOf.map(({ $ref }) => $ref)))
  })
})

test('describes each response of an operation with several actions, and names the actions that return it', () => {
  const responses = ['/admin-billing', '/admin-playlists'].map((path) => {
    const response = resolve(api.paths[path]?.['post']?.responses['200'])
    const { anyOf = [] } = (response?.content?.['application/json']?.schema ?? {}) as {
      anyOf?: { description: string; required?: string[] }[]
    }
    return anyOf.map(({ description, required = [] }) => [description, ...required])
  })
  expect(responses).toEqual([
    [
      ['For `list_subscriptions`.', 'subscriptions', 'summary', 'at_risk', 'pagination'],
      ['For `get_subscription` and changes: the current subscription.', 'subscription'],
      ['For `get_stripe_links`.', 'links'],
      ["For `list_payments`: the person's ledger entries, newest first.", 'payments'],
    ],
    [
      ['For `list`.', 'playlists'],
      ['For `get`, `create` and `update`.', 'playlist'],
      ['For `delete`.'],
    ],
  ])
})

test('describes the authentication and the media type of each body', () => {
  expect(api.components).toMatchObject({
    securitySchemes: { session: { in: 'cookie', name: '__Host-velour.session_token' } },
  })
  const limit = api.paths['/tracks']?.['get']?.parameters.find(({ name }) => name === 'limit')
  expect(limit).toMatchObject({
    in: 'query',
    required: false,
    schema: { default: 50, maximum: 200 },
  })
  expect(JSON.stringify(api.components['schemas'])).toContain('"enum":["free","monthly"')
  expect(api.paths['/uploads/{id}']?.['put']?.requestBody?.content).toHaveProperty([
    'application/octet-stream',
  ])
  expect(Object.keys(api.paths['/tracks/{id}/stream']?.['get']?.responses ?? {})).toContain('206')
})

test('serves the page and its files from this origin, with scripts limited by the policy', async () => {
  const page = await app.nobody.send('GET', '/api/docs')
  expect(page.status).toBe(200)
  expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8')
  expect(page.headers.get('content-security-policy')).toContain("script-src 'self'")
  const html = String(page.body)
  expect(html).not.toMatch(/<script(?![^>]*src=)|\sstyle=/)
  const addresses = [...html.matchAll(/(?:src|href)="(\/[^"]+)"/g)].map(
    ([, address]) => address ?? '',
  )
  expect(addresses.length).toBeGreaterThanOrEqual(4)
  for (const address of addresses) {
    expect((await app.nobody.send('GET', address)).status).toBe(200)
  }
})

type Node = Record<string, unknown>

/** Calls `visit` for every object of a document, except the values of examples. */
function walk(value: unknown, visit: (node: Node, at: string) => void, at = ''): void {
  if (typeof value !== 'object' || value === null) return
  visit(value as Node, at)
  for (const [key, each] of Object.entries(value)) {
    if (key !== 'example' && key !== 'examples') walk(each, visit, `${at}/${key}`)
  }
}

function propertiesOf({ properties }: Node): Record<string, Node & { description?: string }> {
  const isSchema =
    typeof properties === 'object' &&
    properties !== null &&
    !('description' in properties && typeof (properties as Node)['description'] === 'string')
  return isSchema ? (properties as Record<string, Node>) : {}
}
