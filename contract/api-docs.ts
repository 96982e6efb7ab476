// The API description, in machine-readable form and as a page.
import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'

export const getApiDescription = endpoint({
  method: 'GET',
  path: '/api/openapi.json',
  summary: "This description as OpenAPI 3.1, generated from the server's operations.",
  access: 'anyone',
  output: z.record(z.string(), z.unknown()),
  duringMaintenance: true,
})

export const readApiDocs = endpoint({
  method: 'GET',
  path: '/api/docs',
  summary: 'A page for reading this description and trying out every operation.',
  access: 'anyone',
  produces: 'text/html',
  duringMaintenance: true,
})
