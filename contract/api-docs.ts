// The description of this API, for programs and for people.
import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'

export const getApiDescription = endpoint({
  method: 'GET',
  path: '/api/openapi.json',
  summary: 'This description: OpenAPI 3.1, generated from the operations of the server.',
  access: 'anyone',
  output: z.record(z.string(), z.unknown()),
  duringMaintenance: true,
})

export const readApiDocs = endpoint({
  method: 'GET',
  path: '/api/docs',
  summary: 'A page to read this description and to try every operation.',
  access: 'anyone',
  produces: 'text/html',
  duringMaintenance: true,
})
