// Describes one operation in OpenAPI 3.1: parameters, body and rights. Its responses are in operation-responses.ts.
import type * as z from 'zod/mini'
import type { Endpoint } from '#contract/endpoint.ts'
import { describeField } from '#contract/notes/field-notes.ts'
import { getRequiredScope } from '#contract/token-scopes.ts'
import { acceptsIdempotencyKey, acceptsIfMatch } from '../request-headers.ts'
import type { ContractNames } from './contract-names.ts'
import { pascalCase } from './contract-names.ts'
import { toJsonSchema, type JsonSchema } from './json-schema.ts'
import {
  describeBinaryBody,
  describeFields,
  describeResponses,
  type Responses,
} from './operation-responses.ts'
import { createExample, createExampleUuid } from './schema-example.ts'
import type { SharedSchemas } from './shared-schemas.ts'

export interface Parameter {
  name: string
  in: 'path' | 'query' | 'header'
  required: boolean
  description: string
  schema: JsonSchema
  example?: unknown
}

interface MediaType {
  schema: JsonSchema
  example?: unknown
}

export interface Operation {
  operationId: string
  tags: string[]
  summary: string
  description: string
  security: Record<string, string[]>[]
  parameters: Parameter[]
  requestBody?: { required: true; content: Record<string, MediaType> }
  responses: Responses
}

export const securityScheme = 'session'
export const tokenScheme = 'token'

const accessDescriptions = {
  anyone: 'Open to anyone.',
  member: 'For anyone who is signed in.',
  creator: 'For creators, limited to what belongs to them, and for editors and admins.',
  editor: 'For editors and admins.',
  admin: 'For admins.',
} as const

/** Names and schemas that all operation descriptions share. */
export interface Describing {
  names: ContractNames
  schemas: SharedSchemas
}

export function describeOperation(endpoint: Endpoint, context: Describing): Operation {
  const operationId = context.names.operations.get(endpoint)
  if (!operationId) throw new Error(`${endpoint.method} ${endpoint.path} is not in the contract`)
  const body = describeBody(endpoint, context, operationId)
  return {
    operationId,
    tags: [getTag(endpoint.path)],
    summary: endpoint.summary,
    description: describeRights(endpoint),
    security: describeSecurity(endpoint),
    parameters: [
      ...describeParameters('path', endpoint.params, endpoint.path),
      ...describeParameters('query', endpoint.query, endpoint.path),
      ...headersOf(endpoint),
    ],
    ...(body && { requestBody: { required: true, content: body } }),
    responses: describeResponses(endpoint, context.schemas, pascalCase(operationId)),
  }
}

function describeSecurity(endpoint: Endpoint): Record<string, string[]>[] {
  if (endpoint.access === 'anyone') return []
  const scope = getRequiredScope(endpoint)
  return [{ [securityScheme]: [] }, ...(scope ? [{ [tokenScheme]: [scope] }] : [])]
}

function describeRights(endpoint: Endpoint): string {
  const { access, needsConfirmation } = endpoint
  const scope = getRequiredScope(endpoint)
  const tokens = scope ? `Access tokens need the scope \`${scope}\`.` : 'Not for access tokens.'
  const who = `${accessDescriptions[access]} ${tokens}`
  if (!needsConfirmation) return who
  const confirmed = 'Needs a confirmation (`confirmSession`) within the last 10 minutes'
  if (needsConfirmation === true) return `${who} ${confirmed}.`
  return `${who} ${confirmed} if ${describeFields(needsConfirmation)}.`
}

/** `/api/admin-users/:id/role` → `/admin-users/{id}/role`, below the address of a server of the description. */
export function toPathTemplate(path: string): string {
  return path.replace(/^\/api/, '').replaceAll(/:(\w+)/g, '{$1}')
}

/** Returns the first path segment after /api: `tracks`, `admin-users`. */
export function getTag(path: string): string {
  return path.split('/')[2]?.replace(/\..*/, '') ?? 'api'
}

function describeParameters(
  place: 'path' | 'query',
  schema: z.ZodMiniType | undefined,
  path: string,
): Parameter[] {
  if (!schema) return []
  const { properties = {}, required = [] } = toJsonSchema(schema, 'input') as {
    properties?: Record<string, JsonSchema>
    required?: string[]
  }
  const example = createExample(schema, 'output') as Record<string, unknown>
  return Object.entries(properties).map(([name, { description, ...propertySchema }]) => {
    const isId = place === 'path' && name === 'id'
    const value = isId ? createExampleUuid(getItemName(path)) : example[name]
    return {
      name,
      in: place,
      required: place === 'path' || required.includes(name),
      description: isId
        ? `The id of the ${getItemName(path)}.`
        : ((description as string | undefined) ?? describeField(name) ?? ''),
      schema: propertySchema,
      ...(place === 'path' && { example: value }),
    }
  })
}

/** `/api/admin-categories/:id/tracks` → `category` */
function getItemName(path: string): string {
  const segment = path.split('/:id')[0]?.split('/').at(-1) ?? ''
  return segment
    .replace(/^admin-/, '')
    .replace(/ies$/, 'y')
    .replace(/s$/, '')
    .replaceAll('-', ' ')
}

function headersOf(endpoint: Endpoint): Parameter[] {
  const { headers = {} } = endpoint
  const described = {
    ...headers,
    ...(acceptsIdempotencyKey(endpoint) && {
      'Idempotency-Key?':
        'A key that the caller generates for each new operation: 1 to 255 printable characters. Repeating the request with its key within 24 hours returns the stored response.',
    }),
    ...(acceptsIfMatch(endpoint) && {
      'If-Match?': 'The `ETag` that was read. The change is refused if there is a newer version.',
    }),
  }
  return Object.entries(described).map(([name, description]) => ({
    name: name.replace('?', ''),
    in: 'header',
    required: !name.endsWith('?'),
    description,
    schema: { type: 'string' },
  }))
}

function describeBody(
  { body, accepts }: Endpoint,
  { schemas }: Describing,
  operationId: string,
): Record<string, MediaType> | null {
  if (body) {
    const schema = schemas.describe(body, 'input', `${pascalCase(operationId)}Body`)
    return { 'application/json': { schema, example: createExample(body, 'input') } }
  }
  return accepts ? { [accepts]: describeBinaryBody(accepts) } : null
}
