// Checks the examples of the API description against the contract and against the description itself.
import { Ajv2020 } from 'ajv/dist/2020.js'
import { default as addFormats } from 'ajv-formats'
import { expect, test } from 'vitest'
import * as z from 'zod/mini'
import { findContractEndpoints } from '../../../testing/contract-endpoints.ts'
import { describeApi } from './openapi.ts'
import { toPathTemplate } from './openapi-operation.ts'

const operations = await findContractEndpoints()
const api = await describeApi(
  operations.map(({ endpoint }) => endpoint),
  { brandName: 'Velour', publicUrl: 'https://music.test' },
)
const ajv = new Ajv2020({ strict: false, allErrors: true })
addFormats.default(ajv)
ajv.addSchema({ ...api, $id: 'api' })

interface Content {
  content?: Record<string, { schema: object; example?: unknown }>
}

function problemsOf(schema: object, example: unknown): unknown {
  const text = JSON.stringify(schema).replaceAll('"#/components/', '"api#/components/')
  const validate = ajv.compile(JSON.parse(text) as object)
  return validate(example) ? null : validate.errors
}

test.each(operations.filter(({ endpoint }) => endpoint.body))(
  '$name: the example of the request is valid',
  ({ endpoint }) => {
    const { method, path, body } = endpoint
    const operation = api.paths[toPathTemplate(path)]?.[method.toLowerCase()]
    const json = operation?.requestBody?.content['application/json']
    expect(z.safeParse(body!, json?.example).error).toBeUndefined()
    expect(problemsOf(json!.schema, json?.example)).toBeNull()
  },
)

test.each(operations.filter(({ endpoint }) => endpoint.output))(
  '$name: the example of the response is valid',
  ({ endpoint }) => {
    const { method, path, output } = endpoint
    const responses = api.paths[toPathTemplate(path)]?.[method.toLowerCase()]?.responses ?? {}
    const success = (responses['200'] ?? responses['201']) as Content
    const json = success.content?.['application/json']
    expect(z.safeParse(output!, json?.example).error).toBeUndefined()
    expect(problemsOf(json!.schema, json?.example)).toBeNull()
  },
)
